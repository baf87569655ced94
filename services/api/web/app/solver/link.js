/** A board in an address: `CRANE.IIRIC_SLATE.IIRIC`, with - for what is still missing. */

import { GUESSES } from "../draft.js";
import { holding, isBlank } from "./board.js";

const ROW = /^([A-Z-]{5})(?:\.([CRI-]{5}))?$/i;

/** The board as part of an address; "" for an empty one. */
export const written = ({ rows }) =>
  rows
    .filter((row) => !isBlank(row))
    .map(({ letters, marks }) => `${joined(letters)}.${joined(marks)}`)
    .join("_");

/** The board of an address' part; what is no row is left away. */
export const read = (text) => holding(text.split("_").flatMap(row).slice(0, GUESSES));

/** The board that an address holds, be it behind # or ?; null if it holds none. */
export function boardOf({ hash, search }) {
  const text = [hash, search].map((part) => new URLSearchParams(part.slice(1)).get("b")).find(Boolean);
  return text ? read(text) : null;
}

const joined = (tiles) => tiles.map((tile) => tile.toUpperCase() || "-").join("");

function row(text) {
  const [whole, letters, marks = "-----"] = ROW.exec(text) ?? [];
  if (!whole) return [];
  const found = {
    letters: [...letters.toLowerCase()].map((letter) => letter.replace("-", "")),
    marks: [...marks.toUpperCase()].map((mark) => mark.replace("-", "")),
    given: !/[a-z]/i.test(letters),
  };
  return isBlank(found) ? [] : [found];
}

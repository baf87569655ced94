/** Boards as plain text: share grids of coloured squares, and lines of words and marks. */

import { GUESSES } from "../draft.js";
import { boardOf } from "./link.js";
import { emptyRow, isBlank } from "./board.js";

const SQUARES = { C: "🟩", R: "🟨", I: "⬛", "": "⬜" };

/** What squares mean; orange and blue are the palette for the colour-blind, purple is a game of ours. */
const MEANING = { "🟩": "C", "🟧": "C", "🟨": "R", "🟦": "R", "🟪": "R", "⬛": "I", "⬜": "I" };
const SQUARE = /[🟩🟧🟨🟦🟪⬛⬜]/gu;
const WORD = /^[a-z]{5}$/i;
const MARKS = /^[cri]{5}$/i;
const NUMBER = /^\s*\d[.):]/; // "1. CRANE CIIRI"
const BETWEEN = /[\s.,:;|/()"']+/;

/** The board as lines such as "🟩⬛⬛🟨⬛ CRANE". */
export const asText = ({ rows }) =>
  rows
    .filter((row) => !isBlank(row))
    .map(({ letters, marks }) => {
      const squares = marks.map((mark) => SQUARES[mark]).join("");
      const word = letters.map((letter) => letter.toUpperCase() || "_").join("");
      return letters.some(Boolean) ? `${squares} ${word}` : squares;
    })
    .join("\n");

/**
 * The rows in a text: `{rows, colours, words, cut}`. A row may have colours alone or a word alone; `colours` and
 * `words` say that all have; `cut` says that there were more than six.
 */
export function fromText(text) {
  const address = /https?:\/\/\S+/.exec(text)?.[0];
  const linked = address && URL.canParse(address) ? boardOf(new URL(address)) : null;
  const rows = linked ? linked.rows.filter((row) => !isBlank(row)) : text.split(/\r?\n/).flatMap(line);
  const found = paired(rows);
  return {
    rows: found.slice(0, GUESSES),
    colours: found.length > 0 && found.every(({ letters }) => !letters.some(Boolean)),
    words: found.length > 0 && found.every(({ marks }) => !marks.some(Boolean)),
    cut: found.length > GUESSES,
  };
}

/** Words that stand below a grid belong to it, if there are as many of them. */
function paired(rows) {
  const grid = rows.filter(({ letters }) => !letters.some(Boolean));
  const words = rows.filter(({ marks }) => !marks.some(Boolean));
  const apart = grid.length > 0 && grid.length === words.length && rows.length === 2 * grid.length;
  if (!apart) return rows;
  return words.map(({ letters }, index) => ({ ...emptyRow(), letters, marks: grid[index].marks }));
}

function line(text) {
  const squares = [...(text.match(SQUARE) ?? [])].map((square) => MEANING[square]);
  const bare = text.replace(SQUARE, " ").replaceAll("\ufe0f", "").replace(NUMBER, "");
  const tokens = bare.split(BETWEEN).filter(Boolean);
  const words = tokens.filter((token) => WORD.test(token));
  if (squares.length === 5) {
    const letters = words.length === 1 ? [...words[0].toLowerCase()] : emptyRow().letters;
    return [{ letters, marks: squares, given: !words.length }];
  }
  if (squares.length || words.length < tokens.length) return [];
  if (words.length === 2 && MARKS.test(words[1])) {
    return [{ letters: [...words[0].toLowerCase()], marks: [...words[1].toUpperCase()], given: false }];
  }
  return words.map((word) => ({ ...emptyRow(), letters: [...word.toLowerCase()] }));
}

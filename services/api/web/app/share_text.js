/** A Daily's result as text to hand on: squares alone, or plain words. Neither has a letter of any guess. */

import { day, t } from "./i18n.js";
import { took } from "./elapsed.js";
import { GUESSES } from "./draft.js";
import { spokenRow } from "./words.js";

const SQUARES = { C: "🟩", R: "🟪" };
const GRAY = { light: "⬜", dark: "⬛" };

/** Rows of squares in the colours of our games; gray is the square that shows best on this background. */
export const squares = (guesses, colours) =>
  guesses
    .map(({ marks }) => [...marks].map((mark) => SQUARES[mark] ?? GRAY[colours]).join(""))
    .join("\n");

/** The result as it is shared: a line that says how it went, the squares, and where to play. */
export const asSquares = (view, { colours, address }) =>
  [headline(view), "", squares(view.guesses, colours), "", address].join("\n");

/** The same for who has it read out: each row in words. */
export const asWords = (view, { address }) =>
  [
    headline(view),
    ...view.guesses.map(({ marks }, index) => t("rows.row", { number: index + 1, marks: spokenRow(marks) })),
    address,
  ].join("\n");

/** "Wordyard Daily, 8 Mar 2026: 4/6, 1 min 04.2 s". */
function headline({ day: date, state, guesses, elapsed_ms }) {
  const score = `${state === "solved" ? guesses.length : "X"}/${GUESSES}`;
  const values = { day: day(date), score };
  return state === "solved"
    ? t("daily.share_solved", { ...values, time: took(elapsed_ms) })
    : t("daily.share_failed", values);
}

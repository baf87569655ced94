/** What is wrong with a board, as the tiles and rows show it. */

import { GUESSES, LENGTH } from "../draft.js";
import { t } from "../i18n.js";
import { isBlank, isComplete, rowOf } from "./board.js";

/**
 * `{faulty, states, line}`: the places of faulty tiles, what rows are ("left_out" or in "conflict"), and a sentence
 * about the first letter that is missing in a row in which nobody is typing.
 */
export function troubles(desk) {
  const states = new Map(desk.unknown().map(({ row }) => [row, "left_out"]));
  const { answer, busy, problem } = desk.asked;
  if (answer && !busy) {
    for (const index of answer.left_out) states.set(answer.question.rows[index].row, "left_out");
    for (const index of answer.conflict ?? []) states.set(answer.question.rows[index].row, "conflict");
  }
  if (desk.fault) {
    const { row, gray, yellow } = desk.fault;
    return { faulty: [row * LENGTH + gray, row * LENGTH + yellow], states, line: null };
  }
  const refused = problem?.code === "board_refused" ? refusal(desk, problem.facts) : missing(desk.board);
  return { faulty: refused ? [refused.place] : [], states, line: refused?.line ?? null };
}

/** A fault that the service has found, on the tile that it names. */
function refusal({ counted }, { fault, row, tile }) {
  const number = counted[row]?.row ?? GUESSES - 1;
  const key = { guess: "solver.fault_guess", marks: "solver.fault_marks", rows: "solver.fault_rows" }[fault];
  const shown = Math.min(tile ?? 0, LENGTH - 1);
  return { place: number * LENGTH + shown, line: t(key, { row: number + 1, tile: shown + 1 }) };
}

function missing({ rows, at }) {
  const row = rows.findIndex((one, number) => {
    const started = one.letters.some(Boolean);
    return started && !isBlank(one) && !isComplete(one) && number !== rowOf(at);
  });
  if (row < 0) return null;
  const tile = rows[row].letters.indexOf("");
  return { place: row * LENGTH + tile, line: t("solver.fault_guess", { row: row + 1, tile: tile + 1 }) };
}

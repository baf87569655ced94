/** The solver's page as it stands: the board, what is wrong with it, what was asked about it, and the way back. */

import { query, words } from "../api.js";
import * as boards from "./board.js";
import { asking } from "./asking.js";
import { fitting, has, impossible } from "./check.js";
import { boardOf, written } from "./link.js";

export const LIMITS = [50, 200, 1000, 8636];
const STEPS_BACK = 200;

let last = null; // the board that was entered last, for who comes back from another page

/**
 * A desk with the board of an address, or else the last one. `changed()` asks for painting; `answered(answer)` is told
 * of the first answer about a board.
 */
export function desk({ place, changed, answered }) {
  const past = [];
  let fit = null; // what `fits` gave last
  let heard = null; // the rows that the last answer was about
  const state = {
    board: boardOf(place) ?? last ?? boards.blank(),
    counted: [], // the rows that are complete, as `complete` gives them
    fault: null, // an impossible row, as `impossible` gives it
    limit: LIMITS[0],
    split: false,
    list: null, // the words of the solver, once they are here
    openings: null,
    asked: asking({ ask, changed: told }),
    edit,
    undo,
    canUndo: () => past.length > 0,
    more,
    splitting,
    unknown,
    fits,
    close,
  };
  words("/static/words/solver.txt").then(take("list"), () => {});
  fetch("/static/words/openings.json").then((answer) => answer.json()).then(take("openings"), () => {});
  look();
  addEventListener("online", state.asked.hurry);
  return state;

  function take(name) {
    return (value) => {
      state[name] = value;
      changed();
    };
  }

  function ask({ rows, limit, split }, signal) {
    const plain = rows.map(({ guess, marks }) => ({ guess, marks }));
    return query("/solver", { rows: plain, limit, split }, signal);
  }

  function told() {
    const { answer, problem } = state.asked;
    if (answer && !problem && answer.question.rows !== heard) {
      heard = answer.question.rows;
      answered(answer);
    }
    changed();
  }

  /** Change the board by a function of `board.js`; null means that it cannot be done. Says whether it was. */
  function edit(change, ...args) {
    const next = change(state.board, ...args);
    if (!next) return false;
    if (next.rows !== state.board.rows) past.push(state.board);
    if (past.length > STEPS_BACK) past.shift();
    state.board = next;
    look();
    return true;
  }

  function undo() {
    if (!past.length) return false;
    state.board = past.pop();
    look();
    return true;
  }

  /** Ask about the rows that count, if that is not what was asked last. */
  function look() {
    const counted = boards.complete(state.board);
    if (JSON.stringify(counted) !== JSON.stringify(state.counted)) {
      Object.assign(state, { counted, fault: impossible(counted), limit: LIMITS[0], split: false });
    }
    if (state.counted.length && !state.fault) {
      state.asked.want({ rows: state.counted, limit: state.limit, split: state.split });
    } else state.asked.drop();
    last = state.board;
    const text = written(state.board);
    const hash = text ? `#b=${text}` : "";
    if (hash !== place.hash) history.replaceState(null, "", place.pathname + hash);
    changed();
  }

  function more() {
    state.limit = LIMITS.find((limit) => limit > state.limit) ?? state.limit;
    look();
  }

  function splitting(split) {
    state.split = split;
    look();
  }

  /** The complete rows whose guess is not in the list, as far as the list is here. */
  function unknown() {
    return state.list ? state.counted.filter(({ guess }) => !has(state.list, guess)) : [];
  }

  /** The first words that fit, in alphabetical order, and how many there are; or null while the list is not here. */
  function fits() {
    if (state.list && (fit?.counted !== state.counted || fit.limit !== state.limit)) {
      const words = fitting(state.list, state.counted);
      const first = words.slice(0, state.limit).map((word) => ({ word }));
      fit = { counted: state.counted, limit: state.limit, count: words.length, first };
    }
    return fit;
  }

  function close() {
    state.asked.drop();
    removeEventListener("online", state.asked.hurry);
  }
}

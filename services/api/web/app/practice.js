/** A game of Practice as this page has it: kept in this browser, sealed by the service, so that a reload plays on. */

import { query } from "./api.js";
import * as drafts from "./draft.js";
import { untilAnswered } from "./patience.js";
import { forget, keep, kept } from "./shelf.js";

const SHELF = "practice";
const STATES = ["open", "solved", "failed"];

/**
 * Sit down at the game that this browser has kept, if there is one. `changed()` asks for painting; `happened(game)` is
 * told of every game that is taken; `settled(problem)` of a guess that was taken (without a problem) or refused.
 */
export function practise({ changed, happened, settled }) {
  let left = false;
  const table = {
    game: stored(),
    lost: null, // the problem that ends a game which cannot be played on
    draft: drafts.blank(),
    sending: null,
    isOpen: () => table.game?.state === "open" && !table.lost,
    take,
    edit,
    guess,
    leave: () => (left = true),
  };
  return table;

  /** Go on with this game. */
  function take(game) {
    keep(SHELF, game);
    Object.assign(table, { game, lost: null, draft: drafts.blank() });
    happened(game);
    changed();
  }

  /** Change the draft by a function of `draft.js`. Nothing is typed while a guess is on its way. */
  function edit(change, ...args) {
    if (table.sending) return;
    table.draft = change(table.draft, ...args);
    changed();
  }

  /** Send the draft's word until it is answered; once more does no harm. */
  async function guess(word) {
    if (table.sending) return;
    table.sending = { word, waits: false };
    changed();
    const { token } = table.game;
    let refusal = null;
    try {
      const ask = () => query("/practice/guesses", { token, word });
      take(await untilAnswered(ask, { waiting, stopped: () => left }));
    } catch (problem) {
      if (left || !problem.code) return;
      refusal = problem;
    }
    if (refusal?.code === "practice_token") lose(refusal);
    table.sending = null;
    settled(refusal);
    changed();
  }

  function waiting() {
    table.sending.waits = true;
    changed();
  }

  function lose(problem) {
    forget(SHELF);
    table.lost = problem;
  }
}

/** What is on the shelf, if it is a game that can be shown. */
function stored() {
  const found = kept(SHELF);
  const whole = typeof found?.token === "string" && STATES.includes(found.state) && Array.isArray(found.guesses);
  return whole && found.guesses.every(isMarked) ? found : null;
}

const isMarked = (guess) => guess?.word?.length === drafts.LENGTH && guess.marks?.length === drafts.LENGTH;

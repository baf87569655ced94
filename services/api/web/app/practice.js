/** A game of Practice as this page has it: kept in this browser, sealed by the service, so that a reload plays on. */

import { query } from "./api.js";
import * as drafts from "./draft.js";
import { guessing } from "./guessing.js";
import { forget, keep, kept } from "./shelf.js";

const SHELF = "practice";
const STATES = ["open", "solved", "failed"];

/**
 * Sit down at the game that this browser has kept, if there is one. `changed()` asks for painting; `happened(game)` is
 * told of every game that is taken; `settled(problem)` of a guess that was taken (without a problem) or refused.
 */
export function practise({ changed, happened, settled }) {
  const table = {
    game: stored(),
    lost: null, // the problem that ends a game which cannot be played on
    isOpen: () => table.game?.state === "open" && !table.lost,
    take,
    guess,
  };
  const { send, leave } = guessing(table, { changed, settled });
  return Object.assign(table, { leave });

  /** Go on with this game. */
  function take(game) {
    keep(SHELF, game);
    Object.assign(table, { game, lost: null, draft: drafts.blank() });
    happened(game);
    changed();
  }

  /** Send the draft's word until it is answered; once more does no harm. */
  async function guess(word) {
    if (table.sending) return;
    const { token } = table.game;
    await send({ word }, () => query("/practice/guesses", { token, word }), { take, answered });
  }

  /** A token that the service does not know ends the game. */
  function answered(problem) {
    if (problem?.code !== "practice_token") return;
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

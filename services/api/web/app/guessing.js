/** What every board has for guesses: the one being typed, and the one on its way. */

import * as drafts from "./draft.js";
import { untilAnswered } from "./patience.js";

/**
 * Give a table its `draft`, the guess that it is `sending` (`{word, waits, …}` or null), and `edit`. `changed()` asks for
 * painting; `settled(problem)` is told of a guess that was taken (without a problem) or refused.
 */
export function guessing(table, { changed, settled }) {
  let left = false;
  Object.assign(table, { draft: drafts.blank(), sending: null, edit });
  return { send, leave: () => (left = true), isLeft: () => left };

  /** Change the draft by a function of `draft.js`. Nothing is typed while a guess is on its way. */
  function edit(change, ...args) {
    if (table.sending) return;
    table.draft = change(table.draft, ...args);
    changed();
  }

  /**
   * Send a guess by `ask`, again until it is answered, unless the table is left first. `take` gets the answer;
   * `answered(problem)` is told before anybody else that it need not be sent any more.
   */
  async function send(guess, ask, { take, answered }) {
    table.sending = { ...guess, waits: false };
    changed();
    let refusal = null;
    try {
      const answer = await untilAnswered(ask, { waiting, stopped: () => left });
      table.draft = drafts.blank();
      take(answer);
    } catch (problem) {
      if (!problem.code) throw problem;
      if (left) return;
      refusal = problem;
    }
    answered(refusal);
    table.sending = null;
    settled(refusal);
    changed();
  }

  function waiting() {
    table.sending.waits = true;
    changed();
  }
}

/** One game as this page has it: the newest view, the guess being typed, the guess on its way, and the feed. */

import { newKey } from "./api.js";
import * as drafts from "./draft.js";
import { guessing } from "./guessing.js";
import { forget, keep, kept } from "./shelf.js";
import { follow } from "./socket.js";

/**
 * Sit down at a game, on one of the seats of `seats.js`. `changed()` asks for painting; `happened(before, view)` is
 * told of every newer view (`before` is null for the first); `settled(problem)` of a guess that was taken
 * (without a problem) or refused.
 */
export function sit(seat, { changed, happened, settled }) {
  let feed = null;
  let fed = null; // the game that is followed
  const table = {
    view: null,
    problem: null,
    link: "connecting", // then live, slow, lost, ended
    take,
    guess,
    look,
    hurry: () => feed?.hurry(),
    leave,
  };
  const { send, leave: stop, isLeft } = guessing(table, { changed, settled });
  look();
  return table;

  /** A view is taken if it is newer than the one we have, or if time alone has changed what may be done or known. */
  function take(view) {
    const before = table.view;
    const other = !before || view.state !== before.state || view.word !== before.word;
    if (before && (view.version < before.version || (view.version === before.version && !other))) return;
    table.view = view;
    const own = seat.guesses(view);
    const arrived =
      table.sending && own.length > table.sending.after && own.at(-1).word === table.sending.word;
    if (arrived) table.draft = drafts.blank();
    happened(before, view);
    keepUp();
    changed();
  }

  function keepUp() {
    const game = seat.feed(table.view);
    if (isLeft() || game === fed) return;
    feed?.close();
    fed = game;
    feed = game && follow(game, { heard, state, last: () => table.view.version });
  }

  /** Ask for the whole view; then keep following, and send what was left unanswered. */
  async function look() {
    try {
      take(await seat.look(table.view));
      table.problem = null;
    } catch (problem) {
      if (!problem.code) throw problem;
      if (!table.view) table.problem = problem;
    }
    changed();
    if (!isLeft() && table.view) resume();
  }

  function heard(message) {
    if (message.type === "view") take(message.view);
    else table.chat?.heard(message);
  }

  function state(link) {
    table.link = link;
    changed();
  }

  /** Send the draft's word; it is sent again under the same key until it is answered, also after a reload. */
  function guess(word) {
    if (table.sending) return;
    const sending = { word, key: newKey(), after: seat.guesses(table.view).length };
    keep(seat.shelf(table.view), sending);
    ask(sending);
  }

  function resume() {
    const unanswered = kept(seat.shelf(table.view));
    if (!unanswered || table.sending) return;
    table.draft = drafts.holding(unanswered.word);
    ask(unanswered);
  }

  /** What is left unanswered stays kept, and is sent when the game is opened again. */
  function ask(sending) {
    const shelf = seat.shelf(table.view);
    send(sending, () => seat.send(sending.word, sending.key, table.view), { take, answered: () => forget(shelf) });
  }

  function leave() {
    stop();
    feed?.close();
  }
}

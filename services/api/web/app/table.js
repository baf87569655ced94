/** One game as this page has it: the newest view, the guess being typed, the guess on its way, and the feed. */

import { get, newKey, post } from "./api.js";
import * as drafts from "./draft.js";
import { untilAnswered } from "./patience.js";
import { forget, keep, kept } from "./shelf.js";
import { follow } from "./socket.js";

/**
 * Sit down at a game. `changed()` asks for painting; `happened(before, view)` is told of every newer view
 * (`before` is null for the first); `settled(problem)` of a guess that was taken
 * (without a problem) or refused.
 */
export function sit(id, { changed, happened, settled }) {
  const shelf = `guess.${id}`;
  let feed = null;
  let left = false;
  const table = {
    view: null,
    problem: null,
    link: "connecting", // then live, slow, lost, ended
    draft: drafts.blank(),
    sending: null,
    take,
    edit,
    guess,
    look,
    hurry: () => feed?.hurry(),
    leave,
  };
  look();
  return table;

  /** A view is taken if it is newer than the one we have. */
  function take(view) {
    const before = table.view;
    if (before && view.version <= before.version) return;
    table.view = view;
    const own = view.you.guesses;
    const arrived =
      table.sending && own.length > table.sending.after && own.at(-1).word === table.sending.word;
    if (arrived) table.draft = drafts.blank();
    happened(before, view);
    changed();
  }

  /** Ask for the whole view; then keep following, and send what was left unanswered. */
  async function look() {
    try {
      take(await get(`/games/${id}`));
      table.problem = null;
    } catch (problem) {
      if (!problem.code) throw problem;
      if (!table.view) table.problem = problem;
    }
    changed();
    if (left || !table.view) return;
    feed ??= follow(id, { heard, state, last: () => table.view.version });
    resume();
  }

  function heard(message) {
    if (message.type === "view") take(message.view);
    else table.chat?.heard(message);
  }

  function state(link) {
    table.link = link;
    changed();
  }

  /** Change the draft by a function of `draft.js`. Nothing is typed while a guess is on its way. */
  function edit(change, ...args) {
    if (table.sending) return;
    table.draft = change(table.draft, ...args);
    changed();
  }

  /** Send the draft's word; it is sent again under the same key until it is answered, also after a reload. */
  function guess(word) {
    if (table.sending) return;
    send({ word, key: newKey(), after: table.view.you.guesses.length });
  }

  function resume() {
    const unanswered = kept(shelf);
    if (!unanswered || table.sending || !table.view) return;
    table.draft = drafts.holding(unanswered.word);
    send(unanswered);
  }

  async function send(sending) {
    table.sending = { ...sending, waits: false };
    keep(shelf, sending);
    changed();
    const ask = () => post(`/games/${id}/guesses`, { word: sending.word }, sending.key);
    let refusal = null;
    try {
      const view = await untilAnswered(ask, { waiting, stopped: () => left });
      table.draft = drafts.blank();
      take(view);
    } catch (problem) {
      if (left || !problem.code) return; // unanswered: it is kept, and sent when the game is opened again
      refusal = problem;
    }
    forget(shelf);
    table.sending = null;
    settled(refusal);
    changed();
  }

  function waiting() {
    table.sending.waits = true;
    changed();
  }

  function leave() {
    left = true;
    feed?.close();
  }
}

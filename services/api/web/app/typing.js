/** Typing guesses on a board: keys become a draft, a whole row is sent, and what is wrong is said under it. */

import * as drafts from "./draft.js";
import { rich, t } from "./i18n.js";
import { meaning } from "./keys.js";
import { english } from "./parts/english.js";
import { because } from "./words.js";

const SHAKE = 500; // milliseconds

/**
 * `table` has `draft`, `sending`, `edit` and `guess` as in `table.js`; `open()` says whether a guess can be typed now,
 * `guesses()` gives those already made.
 */
export function typing(app, table, { open, guesses }) {
  const ahead = []; // keys pressed while a guess is on its way: meant for the next row
  let asked = null; // what is done if it is asked for once more
  let typedOn = null; // a button that has the focus is pressed by Enter, unless one has typed since
  const typed = {
    line: null, // what is said under the board
    shaken: false,
    press,
    pick: (tile) => edit(drafts.pick, tile),
    key,
    sure,
    settled,
  };
  return typed;

  /** What a key of a real keyboard does, if it does anything; fields and buttons keep theirs. */
  function key(event) {
    const { target } = event;
    const meant = meaning(event);
    if (!meant || target.closest?.("input, textarea, select, .chat")) return;
    if (meant === "enter" && target.closest?.("button, a") && target !== typedOn) return;
    if (meant === "enter" || meant === "erase") event.preventDefault();
    if (meant === "enter" && event.repeat) return;
    typedOn = meant === "enter" ? null : target;
    press(meant);
  }

  function press(meant) {
    if (!open() || table.sending?.waits) return;
    if (table.sending) ahead.push(meant);
    else if (meant === "enter") submit();
    else if (meant === "erase") edit(drafts.erase);
    else if (meant === "left" || meant === "right") edit(drafts.step, meant === "left" ? -1 : 1);
    else edit(drafts.type, meant);
  }

  function edit(change, ...args) {
    clear();
    table.edit(change, ...args);
  }

  function submit() {
    const word = drafts.word(table.draft);
    if (!word) return complain(t("play.five"));
    const tried = guesses().some((guess) => guess.word === word);
    if (tried && !sure(word, rich("play.again", { word: english(word.toUpperCase()) }))) return;
    clear();
    table.guess(word);
  }

  /** Was this asked for already, and nothing typed since? If not, the line asks. */
  function sure(what, question) {
    if (asked === what) return true;
    asked = what;
    complain(question);
    return false;
  }

  function clear() {
    typed.line = asked = null;
  }

  function complain(text) {
    Object.assign(typed, { line: text, shaken: true });
    setTimeout(() => ((typed.shaken = false), app.paint()), SHAKE);
    app.paint();
  }

  /** A guess was taken, or refused by a problem. */
  function settled(problem) {
    const keys = ahead.splice(0);
    if (problem) complain(because(problem));
    else keys.forEach(press);
  }
}

/** What one guesses on, in any game: the rows, the line under them, and the keys. */

import { html, nothing } from "/vendor/lit-html.js";
import { GUESSES, word } from "../draft.js";
import { t } from "../i18n.js";
import { shown } from "../keys.js";
import { board } from "./board.js";
import { keyboard } from "./keyboard.js";

/**
 * The pieces of a table on which the own `guesses` are made, `solved` or not; `fresh` as in `board.js`, `open` says
 * whether one can guess now. `typed` is that of `typing.js`.
 */
export function guessing({ draft, sending }, typed, { guesses, solved, fresh, open }) {
  const last = open && GUESSES - guesses.length === 1;
  const said = sending?.waits ? t("play.waits") : last ? t("play.last") : nothing;
  return {
    rows: board({
      guesses,
      fresh,
      draft: open ? draft : null,
      sending: Boolean(sending) && word(draft) === sending.word,
      shaken: typed.shaken,
      solved,
      pick: typed.pick,
    }),
    line: html`<p class="line" role="alert">${typed.line ?? said}</p>`,
    keys: keyboard({ shown: shown(guesses), off: !open || Boolean(sending?.waits), press: typed.press }),
  };
}

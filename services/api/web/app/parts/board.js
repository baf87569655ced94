/** The own board: guesses with their marks, the row being typed, and what is left. */

import { html, nothing } from "/vendor/lit-html.js";
import { GUESSES, LENGTH } from "../draft.js";
import { t } from "../i18n.js";
import { english, unseen } from "./english.js";

/**
 * Six rows. `fresh` is the number of guesses that are not turned over any more; `draft` is null when no row can be
 * typed; `sending` shows that the row is on its way; `pick(tile)` is told of a touch.
 */
export function board({ guesses, fresh, draft, sending, shaken, solved, pick }) {
  const rows = guesses.map((guess, index) =>
    row(guess, index >= fresh, solved && index === guesses.length - 1),
  );
  if (draft) rows.push(typing(draft, guesses.length, { sending, shaken, pick }));
  while (rows.length < GUESSES) rows.push(html`<li class="row" aria-hidden="true">${EMPTY}</li>`);
  return html`<ol class="board" aria-label=${t("board.label")}>${rows}</ol>`;
}

const EMPTY = Array.from({ length: LENGTH }, () => html`<span class="tile"></span>`);

const row = (guess, fresh, glad) => html`<li class="row ${fresh ? "turning" : ""} ${glad ? "glad" : ""}">
  ${unseen(guess)}${tiles(guess)}
</li>`;

/** Five marked tiles, for the eye only. */
export const tiles = ({ word, marks }) =>
  [...word].map(
    (letter, tile) => html`<span class="tile ${marks[tile]}" lang="en" aria-hidden="true">${letter}</span>`,
  );

/** Five unmarked tiles with a word. */
export const plain = (word, extra = "") => html`<span class="word ${extra}">
  <span class="unseen" lang="en">${word}</span>
  ${[...word].map((letter) => html`<span class="tile set" lang="en" aria-hidden="true">${letter}</span>`)}
</span>`;

function typing(draft, number, { sending, shaken, pick }) {
  const label = t("board.typing", { number: number + 1 });
  return html`<li class="row typing ${sending ? "sending" : ""} ${shaken ? "shaken" : ""}">
    <div role="group" aria-label=${label}>${draft.letters.map((letter, tile) => slot(letter, tile))}</div>
  </li>`;

  function slot(letter, tile) {
    const key = letter ? "board.tile" : "board.tile_empty";
    const here = draft.at === tile;
    return html`<button
      type="button"
      class="tile ${letter ? "set" : ""} ${here ? "here" : ""}"
      aria-label=${t(key, { number: tile + 1, letter: letter.toUpperCase() })}
      aria-current=${here ? "true" : nothing}
      ?disabled=${sending}
      @pointerdown=${(event) => event.preventDefault()}
      @click=${() => pick(tile)}
    >
      ${english(letter)}
    </button>`;
  }
}

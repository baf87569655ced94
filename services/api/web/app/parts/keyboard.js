/** The keyboard on the screen. Keys do not take the focus from a pointer, so that a real Enter still sends. */

import { html } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { ROWS } from "../keys.js";
import { english } from "./english.js";
import * as icons from "./icons.js";

/**
 * `shown` is what each letter has shown so far; `press(meaning)` is told of a key as a real one would tell it. Where
 * nothing is sent there is no `enter`.
 */
export const keyboard = ({
  shown,
  off = false,
  press,
  enter = true,
}) => html`<div class="keys" role="group" aria-label=${t("keys.label")}>
  ${ROWS.map(
    (letters, index) => html`<div class="keys-row">
      ${index === 2 && enter ? wide("enter", t("keys.enter"), t("keys.enter"), off, press) : ""}
      ${[...letters].map((letter) => key(letter, shown[letter], off, press))}
      ${index === 2 ? wide("erase", icons.erase(), t("keys.erase"), off, press) : ""}
    </div>`,
  )}
</div>`;

const spoken = (letter, mark) => (mark ? t("marks.tile", { letter, mark: t(`marks.${mark}`) }) : letter);

const key = (letter, mark, off, press) => html`<button
  type="button"
  class="key ${mark ?? ""}"
  aria-label=${spoken(letter.toUpperCase(), mark)}
  ?disabled=${off}
  @pointerdown=${(event) => event.preventDefault()}
  @click=${() => press(letter)}
>
  ${english(letter)}
</button>`;

const wide = (meaning, content, label, off, press) => html`<button
  type="button"
  class="key wide"
  aria-label=${label}
  ?disabled=${off}
  @pointerdown=${(event) => event.preventDefault()}
  @click=${() => press(meaning)}
>
  ${content}
</button>`;

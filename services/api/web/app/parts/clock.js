/** The time left until the game's midnight. */

import { html } from "/vendor/lit-html.js";
import { phrase, pressing } from "../countdown.js";
import { t } from "../i18n.js";

/** Milliseconds left as text; the last ten minutes stand out. */
export const clock = (
  ms,
) => html`<p class="clock ${pressing(ms) ? "pressing" : ""}" role="timer" title=${t("clock.title")}>
  <span class="clock-label">${t("clock.label")}</span> <span class="clock-left">${t(...phrase(ms))}</span>
</p>`;

/** The time left until a midnight. */

import { html } from "/vendor/lit-html.js";
import { phrase, pressing } from "../countdown.js";
import { t } from "../i18n.js";

/** Milliseconds left as text; the last ten minutes stand out. */
export const clock = (
  ms,
  { label = t("clock.label"), title = t("clock.title") } = {},
) => html`<p class="clock ${pressing(ms) ? "pressing" : ""}" role="timer" title=${title}>
  <span class="clock-label">${label}</span> <span class="clock-left">${t(...phrase(ms))}</span>
</p>`;

/** Somebody else's rows: marks by shape and colour, never a letter. */

import { html } from "/vendor/lit-html.js";
import { GUESSES } from "../draft.js";
import { t } from "../i18n.js";
import { spokenRow } from "../words.js";

/** Six rows of five marks; rows from number `fresh` on arrive with a movement. */
export function markRows(rows, { label, fresh = rows.length, size = "" }) {
  const shown = rows.map((marks, index) => row(marks, index, index >= fresh));
  while (shown.length < GUESSES) shown.push(html`<li class="pips" aria-hidden="true">${pips("     ")}</li>`);
  return html`<ol class="rows ${size}" aria-label=${label}>${shown}</ol>`;
}

const row = (marks, index, fresh) => html`<li class="pips ${fresh ? "arriving" : ""}">
  <span class="unseen">${t("rows.row", { number: index + 1, marks: spokenRow(marks) })}</span>${pips(marks)}
</li>`;

const pips = (marks) => [...marks].map((mark) => html`<span class="pip ${mark}" aria-hidden="true"></span>`);

/** Pieces of forms: the button that sends, and what went wrong. */

import { html, nothing } from "/vendor/lit-html.js";
import { because } from "../words.js";

/** The sending button of a form, still while its action is under way. */
export const send = (act, label, off = false) =>
  html`<button type="submit" class="button" ?disabled=${act.busy || off} aria-busy=${act.busy}>${label}</button>`;

/** What went wrong with an action, told at once to a screen reader. */
export const failed = (act) =>
  html`<div role="alert">${act.problem ? html`<p class="failed">${because(act.problem)}</p>` : nothing}</div>`;

/** A handler for a form's submit event that keeps the page. */
export const submitting = (handle) => (event) => {
  event.preventDefault();
  handle(event.currentTarget);
};

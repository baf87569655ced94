/** Checks that were made in this browser: the verdict over all of them, and what each has found. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { tiles } from "./board.js";
import { unseen } from "./english.js";
import * as icons from "./icons.js";

/** Do all checks hold? */
export function verdictOf(done) {
  const wrong = done.filter(({ ok }) => !ok).length;
  return html`<p class="verdict-line ${wrong ? "wrong" : "right"}" role="status">
    ${wrong ? icons.close() : icons.shield()}
    ${wrong ? t("verify.wrong", { count: wrong }) : t("verify.right", { count: done.length })}
  </p>`;
}

/** The checks of one sort; `sentence(check)` says what was checked. */
export const checked = (title, more, done, sentence) => html`<section class="card">
  <h2>${title}</h2>
  <p>${more}</p>
  <ul class="checks">${done.map((check) => item(check, sentence))}</ul>
</section>`;

const item = (check, sentence) => html`<li class=${check.ok ? "right" : "wrong"}>
  ${check.ok ? icons.tick() : icons.close()}<span class="unseen">${t(check.ok ? "verify.holds" : "verify.fails")}</span>
  <div>${sentence(check)}</div>
</li>`;

/** What a word is held to. */
export const fingerprint = (commitment) =>
  html`<p class="digits"><span>${t("verify.hash")}</span> <code>${commitment}</code></p>`;

/** A word's salt and fingerprint. */
export const digits = ({ salt, commitment }) => html`<p class="digits">
    <span>${t("verify.salt")}</span> <code>${salt}</code>
  </p>
  ${fingerprint(commitment)}`;

/** A guess that was marked again. */
export const marked = (check, title) => html`<p class="check-guess">${unseen(check)}
    <span>${title}</span> <span class="word small">${tiles(check)}</span></p>
  ${check.ok ? nothing : html`<p>${t("verify.should", { marks: check.right ?? "" })}</p>`}`;

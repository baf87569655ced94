/** Lists of words to tap, with the number that each would leave. */

import { html } from "/vendor/lit-html.js";
import { guard } from "/vendor/directives/guard.js";
import { decimal, rich } from "../i18n.js";
import { english } from "./english.js";

/**
 * `put(word, event)` is told of a word that was tapped. Words without a number are shown without one. A list is painted
 * once, since it can have thousands of words.
 */
export const candidates = ({ label, words, put }) => html`<ol class="candidates" aria-label=${label}>
  ${guard([words, label], () => words.map((candidate) => item(candidate, put)))}
</ol>`;

function item(candidate, put) {
  const hasNumber = candidate.left !== undefined;
  return html`<li><button
    type="button"
    class="candidate ${hasNumber ? "numbered" : ""}"
    @click=${(event) => put(candidate.word, event)}
  >${hasNumber ? numbered(candidate) : plain(candidate)}</button></li>`;
}

const plain = ({ word }) => html`<span class="candidate-word" lang="en">${word}</span>`;

const numbered = ({ word, left }) => html`<span class="unseen"
    >${rich("solver.candidate", { word: english(word), left: decimal(left) })}</span
  >
  <span class="candidate-word" lang="en" aria-hidden="true">${word}</span>
  <span class="candidate-left" aria-hidden="true">${decimal(left)}</span>`;

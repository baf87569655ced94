/** Lists of words to tap, with the number that each would leave. */

import { html } from "/vendor/lit-html.js";
import { decimal, rich } from "../i18n.js";
import { english } from "./english.js";

/** `put(word, event)` is told of a word that was tapped. Words without a number are shown without one. */
export const candidates = ({ label, words, put }) => html`<ol class="candidates" aria-label=${label}>
  ${words.map(
    (candidate) => html`<li>
      <button type="button" class="candidate" @click=${(event) => put(candidate.word, event)}>
        ${candidate.left === undefined ? plain(candidate) : numbered(candidate)}
      </button>
    </li>`,
  )}
</ol>`;

const plain = ({ word }) => html`<span class="candidate-word" lang="en">${word}</span>`;

const numbered = ({ word, left }) => html`<span class="unseen"
    >${rich("solver.candidate", { word: english(word), left: decimal(left) })}</span
  >
  <span class="candidate-word" aria-hidden="true">${word}</span>
  <span class="candidate-left" aria-hidden="true">${decimal(left)}</span>`;

/** Words of the games are English in every language: screen readers are told so, and i is capital I in Turkish too. */

import { html } from "/vendor/lit-html.js";
import { spokenWith } from "../words.js";

/** A word of the games within a sentence. */
export const english = (word) => html`<span lang="en">${word}</span>`;

/** A sentence that names words of the games in capitals. */
export const withWords = (sentence) =>
  sentence.split(/\b([A-Z]{5})\b/).map((piece, index) => (index % 2 ? english(piece) : piece));

/** A guess and its marks in words, for who does not see its tiles. */
export const unseen = (guess) =>
  html`<span class="unseen">${spokenWith(english(guess.word), guess)}</span>`;

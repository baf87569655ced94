/** The mark of the house: a fence of five pickets that reads as a W. */

import { html } from "/vendor/lit-html.js";

export const logo = () => html`<svg class="logo" viewBox="0 0 64 48" aria-hidden="true" focusable="false">
  <path class="post" d="M4 46V10l5-8 5 8v36z" />
  <path class="slat" d="M15.500 46V24l5-8 5 8v22z" />
  <path class="post" d="M27 46V17l5-8 5 8v29z" />
  <path class="slat" d="M38.500 46V24l5-8 5 8v22z" />
  <path class="post" d="M50 46V10l5-8 5 8v36z" />
</svg>`;

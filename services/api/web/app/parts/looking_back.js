/** Reviews on demand: of a board that was entered, and of an ended game: both sides of a duel, or the own one alone. */

import { html, nothing } from "/vendor/lit-html.js";
import { live } from "/vendor/directives/live.js";
import { action } from "../action.js";
import { get, query } from "../api.js";
import { t } from "../i18n.js";
import { SOLVED } from "../marks.js";
import { nameOf } from "../words.js";
import { failed, submitting } from "./forms.js";
import { legend, reviewed } from "./review.js";

const TRIES = 30;
const PAUSE = 1000; // milliseconds between looks at a review that is being made

/** The review of a board; `view(rows)` offers it for rows as `complete` gives them. */
export function boardReview(app) {
  const act = action(app);
  let made = null; // {rows, review}
  let answer = "";

  async function make(rows) {
    const asked = rows.map(({ guess, marks }) => ({ guess, marks }));
    const told = isSolved(rows) || !answer.trim() ? {} : { answer: answer.trim() };
    const review = await act.attempt(() => query("/solver/review", { rows: asked, ...told }));
    made = review && { rows: JSON.stringify(rows), review };
    app.paint();
    if (made) begin();
  }

  return {
    view(rows) {
      const current = made?.rows === JSON.stringify(rows);
      return html`<section class="card looking-back">
        <h2 tabindex="-1">${t("review.title")}</h2>
        <p>${t("review.lead")}</p>
        <form @submit=${submitting(() => make(rows))}>
          ${isSolved(rows) ? nothing : answerField(answer, (text) => (answer = text))} ${failed(act)}
          ${
            current
              ? nothing
              : html`<button type="submit" class="button small" aria-busy=${act.busy}>${t("review.board")}</button>`
          }
        </form>
        ${current ? html`<div class="review-done">${reviewed(made.review)} ${legend()}</div>` : nothing}
      </section>`;
    },
  };
}

/** Is the answer among the rows? */
const isSolved = (rows) => rows.some(({ marks }) => marks === SOLVED);

const answerField = (answer, set) => html`<label class="field">
  <span>${t("review.answer")}</span>
  <input class="text" lang="en" maxlength="5" autocomplete="off" autocapitalize="characters" spellcheck="false"
    .value=${live(answer)} @input=${(event) => set(event.target.value)} aria-describedby="review-answer" />
  <small id="review-answer">${t("review.answer_more")}</small>
</label>`;

/** The reviews of an ended game: made by the service when they are first asked for. `leave()` ends the waiting. */
export function gameReview(app, id) {
  const act = action(app);
  let made = null;
  let late = false;
  let left = false;

  async function look() {
    late = false;
    made = await act.attempt(waited);
    app.paint();
    if (made && !left) begin();
  }

  async function waited() {
    for (let attempt = 0; attempt < TRIES && !left; attempt += 1) {
      const answer = await get(`/games/${id}/review`);
      if ("you" in answer) return answer;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    late = true;
    return null;
  }

  return {
    leave: () => (left = true),
    view({ opponent }) {
      return html`<section class="card looking-back">
        <h2 tabindex="-1">${t("review.title")}</h2>
        ${made ? told(made, opponent) : html`<p>${t("review.lead")}</p>`} ${failed(act)}
        ${late ? html`<p class="failed">${t("review.late")}</p>` : nothing}
        <p class="hint" role="status">${act.busy ? t("review.making") : nothing}</p>
        ${
          made
            ? nothing
            : html`<button type="button" class="button quiet small" ?disabled=${act.busy} @click=${look}>
              ${t("review.game")}
            </button>`
        }
      </section>`;
    },
  };
}

/** The button is gone: go on at the heading, when it is painted. */
const begin = () => setTimeout(() => document.querySelector(".looking-back h2")?.focus());

const told = (made, opponent) =>
  opponent
    ? both(made, nameOf(opponent.player))
    : html`<div class="review-done">${reviewed(made.you)} ${open(made.you)} ${legend()}</div>`;

const both = ({ you, opponent }, name) => html`<div class="review-sides">
    <div><h3>${t("review.yours")}</h3>${reviewed(you)} ${open(you)}</div>
    <div><h3>${t("review.theirs", { name })}</h3>${reviewed(opponent)} ${open(opponent)}</div>
  </div>
  ${legend()}`;

const open = (review) => {
  if (!review?.rows.length) return nothing;
  const board = review.rows.map(({ guess, marks }) => `${guess.toUpperCase()}.${marks}`).join("_");
  return html`<p><a href="/solver#b=${board}">${t("review.open")}</a></p>`;
};

/** A board looked back on: for each row what it left, what the best guess would have left, skill and luck. */

import { html } from "/vendor/lit-html.js";
import { decimal, number, t } from "../i18n.js";
import { tiles } from "./board.js";
import { english, unseen } from "./english.js";

/** A review as the API gives it; null is one of no guesses. */
export function reviewed(review) {
  if (!review?.rows.length && (!review || review.status === "ok")) return html`<p class="hint">${t("review.none")}</p>`;
  if (review.status !== "ok") return html`<p class="failed">${t(`review.${review.status}`)}</p>`;
  return html`<ol class="review">${review.rows.map(line)}</ol>
    <p>${t("review.average", { skill: mean(review.rows, "skill"), luck: mean(review.rows, "luck") })}</p>`;
}

/** What the numbers mean. */
export const legend = () => html`<p class="hint">
  ${t("review.number_more")} ${t("review.skill_more")} ${t("review.luck_more")}
</p>`;

const mean = (rows, name) => Math.round(rows.reduce((sum, row) => sum + row[name], 0) / rows.length);

const line = (row, index) => html`<li>
  <p class="review-guess">
    <span class="unseen">${t("solver.row", { row: index + 1 })}</span>
    ${unseen({ word: row.guess, marks: row.marks })}
    <span class="word small">${tiles({ word: row.guess, marks: row.marks })}</span>
  </p>
  <div class="review-meters">${meter("review.skill", row.skill)} ${meter("review.luck", row.luck)}</div>
  <dl class="review-facts">
    ${fact("review.before", number(row.before))} ${fact("review.after", number(row.left))}
    ${fact("review.expected", decimal(row.expected))}
  </dl>
  ${row.best.word === row.guess ? html`<p class="review-best">${t("review.was_best")}</p>` : best(row)}
</li>`;

const best = ({ best: { word, left }, best_left }) => html`<dl class="review-facts">
  ${fact("review.best", html`<span class="candidate-word">${english(word)}</span>`)}
  ${fact("review.best_expected", decimal(left))}
  ${fact("review.best_left", best_left === null ? t("review.unknown") : number(best_left))}
</dl>`;

const fact = (key, value) => html`<div><dt>${t(key)}</dt><dd>${value}</dd></div>`;

const meter = (key, value) => html`<label class="meter">
  <span>${t(key)} <strong>${number(value)}</strong></span><meter min="0" max="100" .value=${value}></meter>
</label>`;

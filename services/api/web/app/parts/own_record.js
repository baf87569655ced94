/** The own record in the Daily: how many, how long in a row, and with how many guesses. */

import { html } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { number, t } from "../i18n.js";
import { bars } from "./bars.js";
import { fetched, shown } from "./fetched.js";

const TRIES = 8;
const PAUSE = 700; // milliseconds: the tables follow the log a moment later

/** The record; `fresh` is a day that has just ended and must be in it, or null: then `counted()` is told of it. */
export function ownRecord(app, fresh, counted) {
  const found = fetched(app, () => newest(fresh, counted));
  return { again: found.again, view: (own) => shown(found, (figures) => card(figures, own)) };
}

async function newest(day, counted) {
  for (let attempt = 1; ; attempt += 1) {
    const figures = await get("/daily/statistics");
    const isIn = figures.days.some((one) => one.day === day);
    if (day && isIn) counted();
    if (!day || isIn || attempt === TRIES) return figures;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

const card = ({ played, solved, streak, longest_streak, histogram }, own) => html`<section class="card">
  <h2>${t("daily.record")}</h2>
  <dl class="figures">
    ${figure("daily.played", played)} ${figure("daily.solved_head", solved)} ${figure("daily.streak_head", streak)}
    ${figure("daily.longest", longest_streak)}
  </dl>
  ${bars(histogram, own, t("daily.record"))}
</section>`;

const figure = (key, value) => html`<div><dt>${t(key)}</dt><dd>${number(value)}</dd></div>`;

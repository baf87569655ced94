/** The own record in the Daily: how many, how long in a row, and with how many guesses. */

import { html } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { number, t } from "../i18n.js";
import { bars } from "./bars.js";
import { fetched, shown } from "./fetched.js";

/** The record; `own` of `view` is the bar of a result that is to stand out, or null. */
export function ownRecord(app) {
  const found = fetched(app, () => get("/daily/statistics"));
  return { again: found.again, view: (own) => shown(found, (figures) => card(figures, own)) };
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

/** What the own rivals did on a day of the Daily. */

import { html, nothing } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { t } from "../i18n.js";
import { nameOf } from "../words.js";
import { fetched, shown } from "./fetched.js";
import { avatar, score } from "./players.js";

/** The rivals' results of a day, the best first; nothing where there are no rivals. */
export function rivalsDay(app, day) {
  const found = fetched(app, () => get(`/daily/${day}/rivals`));
  return { again: found.again, view: () => shown(found, ({ rivals }) => (rivals.length ? card(rivals) : nothing)) };
}

const card = (rivals) => html`<section class="card">
  <h2>${t("rivals.title")}</h2>
  <ul class="rivals-day">
    ${rivals.map(
      ({ player, ...result }) => html`<li>${avatar(player)}<strong>${nameOf(player)}</strong>
        <span>${outcome(result)}</span></li>`,
    )}
  </ul>
</section>`;

const outcome = (result) => (result.state === null ? t("daily.not_yet") : score(result));

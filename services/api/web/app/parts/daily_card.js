/** The Daily in the lobby: how far one is today, and how long the streak is. */

import { html, nothing } from "/vendor/lit-html.js";
import { serverNow } from "../api.js";
import { phrase } from "../countdown.js";
import { closeOf, easternDay } from "../eastern.js";
import { day, t } from "../i18n.js";
import * as icons from "./icons.js";
import { progress, score } from "./players.js";
import { markRows } from "./rows.js";

/** `board` is the player's view of a day, `streak` the number of days in a row; null where they are not known. */
export function dailyCard({ board, streak }) {
  const now = serverNow();
  const today = easternDay(now);
  const own = board?.day === today && board.guesses.length ? board : null;
  const over = own !== null && own.state !== "open";
  return html`<section class="card daily-card">
    <div class="daily-card-text">
      <h2>${icons.calendar()}${t("daily.title")} <small>${day(today)}</small></h2>
      <p>${own ? state(own) : t("daily.lead")}</p>
      ${streak ? html`<p class="daily-streak">${t("daily.streak", { count: streak })}</p>` : nothing}
      <div class="actions">
        <a class="button ${over ? "quiet" : ""}" href="/daily">${t(invitation(own, over))}</a>
        ${over ? nothing : html`<small>${t("clock.label")} ${t(...phrase(closeOf(today) - now))}</small>`}
      </div>
    </div>
    ${own ? markRows(own.guesses.map(({ marks }) => marks), { label: t("board.label") }) : nothing}
  </section>`;
}

function invitation(own, over) {
  if (over) return "daily.see";
  return own ? "daily.go_on" : "daily.begin";
}

function state(own) {
  const guesses = own.guesses.length;
  return own.state === "open" ? progress({ guesses }) : score({ ...own, guesses });
}

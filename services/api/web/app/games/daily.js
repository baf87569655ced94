/** The Daily while it is played, and how it went once it is over. View in, page out. */

import { html, nothing } from "/vendor/lit-html.js";
import { running, took } from "../elapsed.js";
import { day, rich, t } from "../i18n.js";
import { monthOf } from "../month.js";
import { plain, tiles } from "../parts/board.js";
import { clock } from "../parts/clock.js";
import { unseen } from "../parts/english.js";
import { guessing } from "../parts/guessing.js";
import * as icons from "../parts/icons.js";
import { banner } from "../parts/link.js";

/** `play` has `fresh` (rows that are not turned over any more), `typed`, `left()` and `spent()` in milliseconds. */
export const playing = ({ table, play }) => html`<div class="table solo">
  ${banner(table)}
  <div class="table-main">
    <header class="table-head daily-head">
      <h1>${t("daily.title")} <small>${day(table.view.day)}</small></h1>
      ${clock(play.left(), { title: t("daily.closes") })}
    </header>
    <section class="mine" aria-label=${t("game.yours")}>${grid(table, play)}</section>
  </div>
</div>`;

function grid(table, play) {
  const { view } = table;
  const own = { guesses: view.guesses, solved: view.state === "solved", fresh: play.fresh, open: view.state === "open" };
  const { rows, line, keys } = guessing(table, play.typed, own);
  return html`${rows} ${line}
    <p class="spent" role="timer">${spent(view, play)}</p>
    ${keys}`;
}

function spent(view, play) {
  if (!view.guesses.length)
    return html`${t("daily.not_begun")} <a href="/how-to-play">${t("nav.help")}</a>`;
  return t("daily.spent", { time: running(play.spent()) });
}

/** The end: how it went, the word, the own rows; `more` is what comes below. */
export const finished = (view, { today, share, more }) => html`<div class="page daily">
  <header class="daily-top">
    <h1>${t("daily.title")} <small>${day(view.day)}</small></h1>
    <a class="tool" href="/daily/calendar?month=${monthOf(view.day)}">${icons.calendar()}${t("daily.calendar")}</a>
  </header>
  <section class="card verdict-card">
    <h2 tabindex="-1">${verdict(view)}</h2>
    ${view.word ? html`<p class="daily-word">${rich("practice.word", { word: plain(view.word, "small") })}</p>` : nothing}
    ${view.state === "closed" ? html`<p>${t(view.guesses.length ? "daily.unfinished" : "daily.unplayed")}</p>` : nothing}
    ${view.guesses.length ? html`<ol class="board small" aria-label=${t("board.label")}>${view.guesses.map(row)}</ol>` : nothing}
    ${view.state === "closed" ? nothing : share}
    ${today}
  </section>
  ${more}
  <p class="actions">
    <a class="button quiet small" href="/daily/${view.day}/verify">${icons.shield()}${t("result.verify")}</a>
  </p>
</div>`;

const row = (guess) => html`<li class="row">${unseen(guess)}${tiles(guess)}</li>`;

/** How a Daily has ended, in a few words. */
export function verdict({ state, guesses, elapsed_ms }) {
  if (state === "closed") return t("daily.closed");
  if (state === "failed") return t("standing.failed");
  return t("daily.solved", { count: guesses.length, time: took(elapsed_ms) });
}

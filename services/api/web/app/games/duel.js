/** The duel: the other's side, the own board, what to type with, and the chat. View in, page out. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { chatButton, chatDrawer } from "../parts/chat.js";
import { clock } from "../parts/clock.js";
import { guessing } from "../parts/guessing.js";
import { banner } from "../parts/link.js";
import { other } from "../parts/other.js";
import { keepsakes } from "../parts/players.js";
import { result } from "../parts/result.js";
import { finished, notStarted } from "../parts/standing.js";
import { nameOf } from "../words.js";

/** Can this player guess now? */
export const canType = (view) => view?.state === "playing" && !view.you.finished;

export function duel(app, { table, talk, play }) {
  const { view } = table;
  const covered = talk.open && narrow();
  const over = view.result && !play.held;
  return html`<div class="table ${over ? "over" : ""} ${talk.open ? "with-chat" : ""}">
    ${banner(table)}
    <div class="table-main" ?inert=${covered}>
      <header class="table-head">
        <h1>${heading(view)}</h1>
        ${view.closes_at && !over ? clock(play.left()) : nothing}
        ${view.opponent.player ? chatButton(talk) : nothing}
      </header>
      ${over ? result(view, play.fresh, keepsakes(app.me), play.review) : playing(app, { table, play })}
    </div>
    ${talk.open ? chatDrawer(app, talk, view) : nothing}
  </div>`;
}

/** Is there too little room to set the chat beside the game? */
export const narrow = () => matchMedia("(max-width: 69.99rem)").matches;

/** Who plays whom; before the view is there just the name of the game. */
export const heading = (view) =>
  view?.opponent.player ? t("game.with", { name: nameOf(view.opponent.player) }) : t("game.title");

function playing(app, { table, play }) {
  const { view } = table;
  return html`${other(view, play.fresh)}
    <section class="mine" aria-label=${t("game.yours")}>
      ${view.state === "playing" || view.result ? grid(table, play) : notStarted(app, view, play)}
    </section>`;
}

function grid(table, play) {
  const { view } = table;
  const { guesses, solved } = view.you;
  const open = canType(view);
  const { rows, line, keys } = guessing(table, play.typed, { guesses, solved, fresh: play.fresh.own, open });
  return html`${rows} ${open ? html`${line} ${keys}` : finished(view)}`;
}

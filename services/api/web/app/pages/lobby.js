/** The lobby: what is on today, or, for who is new, what this is. The day's first visit is shown the Daily instead. */

import { html, nothing } from "/vendor/lit-html.js";
import { get, serverNow } from "../api.js";
import { easternDay } from "../eastern.js";
import { isFirstVisit, wasOpened } from "../first_visit.js";
import { t } from "../i18n.js";
import { dailyCard } from "../parts/daily_card.js";
import { fetched, shown } from "../parts/fetched.js";
import { current, isOn, past } from "../parts/games.js";
import { tiles } from "../parts/board.js";
import * as icons from "../parts/icons.js";
import { avatar, keepsakes } from "../parts/players.js";
import { nameOf } from "../words.js";
import { daily } from "./daily.js";

const REFRESH = 30_000; // milliseconds between looks at games that others move in
const HERO = [
  { word: "stone", marks: "RIIII" },
  { word: "dairy", marks: "RCIRR" },
  { word: "yards", marks: "CCCCC" },
];

export function lobby(app) {
  if (!isFirstVisit(easternDay(serverNow()))) return hall(app);
  history.replaceState(null, "", "/daily");
  return daily(app, {});
}

function hall(app) {
  const games = app.me.player ? fetched(app, () => get("/games?limit=20").then(({ games }) => games)) : null;
  const board = app.me.player ? fetched(app, () => get("/daily")) : null;
  const figures = app.me.player ? fetched(app, () => get("/daily/statistics")) : null;
  const looking = setInterval(look, REFRESH);
  document.addEventListener("visibilitychange", look);

  function look() {
    if (document.visibilityState !== "visible") return;
    if (!wasOpened(easternDay(serverNow()))) return app.reopen();
    for (const thing of [games, board, figures]) thing?.again();
  }

  const account = app.me.player && !app.me.player.guest;
  const rivals = account
    ? fetched(app, () => get("/rivals").then((found) => found.rivals.filter(isFree)))
    : null;

  const list = (all) => {
    const on = all.filter(isOn);
    const over = all.filter((game) => game.state === "finished").slice(0, 5);
    const free = rivals?.value ?? [];
    return html`${on.length ? section(t("lobby.on"), gameList(on.map(current))) : empty()}
    ${free.length ? section(t("lobby.rivals"), challenges(free)) : nothing}
    ${over.length ? section(t("lobby.past"), gameList(over.map(past)), allGames()) : nothing}`;
  };

  return {
    title: () => "",
    view: () => html`<div class="page lobby">
      ${games ? welcome(app.me.player) : hero()}
      ${dailyCard({ board: board?.value ?? null, streak: figures?.value?.streak ?? null })}
      ${games ? shown(games, list) : steps()}
      ${alone()} ${keepsakes(app.me)}
    </div>`,
    close() {
      clearInterval(looking);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

const section = (title, ...content) => html`<section><h2>${title}</h2>${content}</section>`;

const gameList = (lines) => html`<ul class="game-list">${lines}</ul>`;

const empty = () => html`<p class="empty">${t("lobby.nothing")}</p>`;

const allGames = () => html`<p><a href="/history">${t("lobby.all")}</a></p>`;

/** Rivals with whom there is no game yet today. */
const isFree = ({ today }) => !today;

const challenges = (free) => html`<ul class="chips">
  ${free.slice(0, 6).map(challenge)}
</ul>`;

const challenge = ({ player }) => html`<li><a class="chip" href="/new?rival=${player.id}">
  ${avatar(player)}<span><strong>${nameOf(player)}</strong><small>${t("rivals.start")}</small></span>
</a></li>`;

/** A game for who has nobody to play with just now. */
const alone = () => html`<a class="game-line" href="/practice">
  <span class="avatar tile" aria-hidden="true">${icons.target()}</span>
  <span class="game-who"><strong>${t("nav.practice")}</strong><small>${t("practice.lead")}</small></span>
</a>`;

const start = () => html`<a class="button big" href="/new">${t("nav.new")}</a>`;

const welcome = (player) => html`<header class="welcome">
  <h1>${t("lobby.welcome", { name: player.name })}</h1>
  ${start()}
</header>`;

const hero = () => html`<header class="hero">
  <div>
    <h1>${t("lobby.title")}</h1>
    <p class="lead">${t("lobby.lead")}</p>
    <div class="actions">${start()}<a class="button quiet big" href="/how-to-play">${t("nav.help")}</a></div>
  </div>
  <div class="board hero-board" aria-hidden="true">
    ${HERO.map((guess) => html`<div class="row turning">${tiles(guess)}</div>`)}
  </div>
</header>`;

const steps = () => html`<ol class="steps">
  ${[1, 2, 3].map(
    (step) => html`<li class="card"><span class="step" aria-hidden="true">${step}</span>
    <h2>${t(`lobby.step${step}`)}</h2><p>${t(`lobby.step${step}_more`)}</p></li>`,
  )}
</ol>`;

/** Games in lists: one line each, leading to the game. */

import { html, nothing } from "/vendor/lit-html.js";
import { serverNow } from "../api.js";
import { left, phrase } from "../countdown.js";
import { day, instant, t } from "../i18n.js";
import { nameOf } from "../words.js";
import * as icons from "./icons.js";
import { avatar, progress } from "./players.js";

/** A game that is on: who against, how far both are, how long it lasts. */
export function current(game) {
  if (game.invite && !game.opponent.player) return sent(game);
  const name = nameOf(game.opponent.player);
  return html`<li><a class="game-line" href="/game/${game.id}">
    ${avatar(game.opponent.player)}
    <span class="game-who"><strong>${name}</strong> ${sides(game)}</span>
    ${game.closes_at ? html`<span class="game-left">${timeLeft(game)}</span>` : nothing}
  </a></li>`;
}

const timeLeft = ({ closes_at }) => t(...phrase(left(closes_at, serverNow())));

const sent = ({ invite }) => html`<li><a class="game-line" href="/invite/${invite.token}">
  <span class="avatar tile" aria-hidden="true">${icons.link()}</span>
  <span class="game-who"><strong>${t("games.invite")}</strong>
    <small>${t("invite.until", { when: instant(invite.expires_at) })}</small></span>
</a></li>`;

/** A game that is over: the outcome in a word and on a coloured edge. */
export const past = (game) => html`<li><a class="game-line ${game.outcome ?? "void"}" href="/game/${game.id}">
  <span class="outcome ${game.outcome ?? "void"}">${t(`outcome.short.${game.outcome ?? "void"}`)}</span>
  <span class="game-who"><strong>${game.opponent.player ? nameOf(game.opponent.player) : t("games.invite")}</strong>
    ${game.opponent.player ? sides(game) : nothing}
    ${isLeftOut(game) ? html`<small>${t("outcome.short.not_counted")}</small>` : nothing}</span>
  <span class="game-left">${game.day ? day(game.day) : day(game.made_at.slice(0, 10))}</span>
</a></li>`;

/** Does another game of that day count instead? */
const isLeftOut = ({ outcome, counted }) => counted === false && outcome !== "not_counted";

const sides = ({ you, opponent }) => html`<small>${t("games.you", { progress: progress(you) })}</small>
  <small>${t("games.them", { progress: progress(opponent) })}</small>`;

/** Is a game still to be looked after? */
export const isOn = ({ state }) => state === "waiting" || state === "playing";

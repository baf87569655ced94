/** Rivals: the records, and today's game with each. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get } from "../api.js";
import { t } from "../i18n.js";
import { block } from "../parts/blocked.js";
import { fetched, shown } from "../parts/fetched.js";
import { failed } from "../parts/forms.js";
import { avatar } from "../parts/players.js";
import { nameOf } from "../words.js";

export function rivals(app) {
  const account = app.me.player && !app.me.player.guest;
  const found = account ? fetched(app, () => get("/rivals")) : null;
  const act = action(app);

  async function shun(player) {
    if (await act.attempt(() => block(app, player).then(() => true))) await found.again();
  }

  return {
    title: () => t("rivals.title"),
    view: () => html`<div class="page">
      <h1>${t("rivals.title")}</h1>
      <p class="lead">${t("rivals.lead")}</p>
      ${failed(act)} ${found ? shown(found, ({ rivals: all }) => list(all, shun)) : signIn()}
    </div>`,
  };
}

const signIn = () => html`<section class="card empty">
  <p>${t("rivals.sign_in")}</p>
  <div class="actions"><a class="button" href="/sign-in">${t("nav.sign_in")}</a></div>
</section>`;

const list = (all, shun) =>
  all.length
    ? html`<ul class="rival-list">${all.map((rival) => card(rival, shun))}</ul>`
    : html`<section class="card empty"><p>${t("rivals.none")}</p>
        <div class="actions"><a class="button" href="/new">${t("nav.new")}</a></div></section>`;

const card = ({ player, records: { duel }, today }, shun) => html`<li class="card rival">
  <h2>${avatar(player)}${nameOf(player)}</h2>
  <dl class="record">
    <div class="win"><dt>${t("record.wins")}</dt><dd>${duel.wins}</dd></div>
    <div class="loss"><dt>${t("record.losses")}</dt><dd>${duel.losses}</dd></div>
    <div class="draw"><dt>${t("record.draws")}</dt><dd>${duel.draws}</dd></div>
  </dl>
  ${scale(duel)}
  <p class="rival-today">
    ${game(player, today)}
    ${
      player.name
        ? html`<button type="button" class="button quiet small" aria-label=${t("blocked.block_this", { name: player.name })}
            @click=${() => shun(player)}>${t("blocked.block")}</button>`
        : nothing
    }
  </p>
</li>`;

/** Wins against losses as a bar; the numbers stand above it. */
function scale({ wins, losses, draws }) {
  const whole = wins + losses + draws;
  if (!whole) return nothing;
  const [won, drawn] = [(100 * wins) / whole, (100 * draws) / whole];
  return html`<svg class="scale" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="scale-loss" width="100" height="4" /><rect class="scale-draw" width=${won + drawn} height="4" />
    <rect class="scale-win" width=${won} height="4" />
  </svg>`;
}

function game(player, today) {
  if (!today && !player.name) return nothing; // the account is gone
  if (!today) return html`<a class="button small" href="/new?rival=${player.id}">${t("rivals.start")}</a>`;
  const over = today.state === "finished";
  const key = over ? "rivals.over" : today.your_secret_set ? "rivals.on" : "rivals.your_word";
  return html`<a class="button small ${over ? "quiet" : ""}" href="/game/${today.game}">${t(key)}</a>`;
}

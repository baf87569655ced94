/** Games that are over, newest first, a page at a time. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get } from "../api.js";
import { t } from "../i18n.js";
import { waiting, trouble } from "../parts/fetched.js";
import { past } from "../parts/games.js";

const PAGE = 20;

export function history(app) {
  const more = action(app);
  const found = { games: [], next: null, asked: false };
  if (app.me.player) load();
  else found.asked = true;

  async function load() {
    const cursor = found.next ? `&cursor=${encodeURIComponent(found.next)}` : "";
    const page = await more.attempt(() => get(`/games?state=finished&limit=${PAGE}${cursor}`));
    if (page) Object.assign(found, { games: [...found.games, ...page.games], next: page.next, asked: true });
    app.paint();
  }

  const list = () => html`<ul class="game-list">${found.games.map(past)}</ul>
    ${
      found.next
        ? html`<div class="actions"><button type="button" class="button quiet" ?disabled=${more.busy} @click=${load}>
          ${t("history.more")}</button></div>`
        : nothing
    }`;

  function content() {
    if (more.problem) return html`${found.games.length ? list() : nothing}${trouble(more.problem, load)}`;
    if (!found.asked) return waiting();
    return found.games.length ? list() : none();
  }

  const none = () => html`<section class="card empty"><p>${t("history.none")}</p>
    <div class="actions">
      <a class="button" href="/new">${t("nav.new")}</a>
      <a class="button quiet" href="/daily/calendar">${t("daily.calendar")}</a>
    </div>
  </section>`;

  return {
    title: () => t("history.title"),
    view: () => html`<div class="page"><h1>${t("history.title")}</h1>${content()}</div>`,
  };
}

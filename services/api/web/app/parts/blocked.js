/** Players whom one has blocked, and blocking one more. */

import { html } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, post, remove } from "../api.js";
import { t } from "../i18n.js";
import { nameOf } from "../words.js";
import { fetched, shown } from "./fetched.js";
import { failed } from "./forms.js";

/** Block a player, and say so. Throws a `Problem`. */
export async function block(app, player) {
  await post("/blocks", { player_id: player.id });
  app.note(t("blocked.done", { name: nameOf(player) }));
}

/** The section of the account page; `view()` paints it. */
export function blocked(app) {
  const found = fetched(app, () => get("/blocks").then((answer) => answer.blocks));
  const act = action(app);

  async function undo(player) {
    await act.attempt(() => remove(`/blocks/${player.id}`).then(() => true));
    await found.again();
  }

  const line = ({ player }) => html`<li>
    <strong>${nameOf(player)}</strong>
    <button type="button" class="button quiet small" ?disabled=${act.busy}
      aria-label=${t("blocked.undo_this", { name: nameOf(player) })}
      @click=${() => undo(player)}>${t("blocked.undo")}</button>
  </li>`;

  const list = (all) =>
    all.length ? html`<ul class="own-list">${all.map(line)}</ul>` : html`<p class="hint">${t("blocked.none")}</p>`;

  const view = () => html`<section class="card">
    <h2>${t("blocked.title")}</h2>
    <p>${t("blocked.lead")}</p>
    ${shown(found, list)} ${failed(act)}
  </section>`;
  return { view };
}

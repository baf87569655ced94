/** All that is kept about an account, to take along; and its deletion, confirmed by its name. */

import { html } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { rich, t } from "../i18n.js";
import { leave } from "../me.js";
import { failed, send, submitting } from "./forms.js";

/** The section of the account page; `view()` paints it. */
export function ownData(app) {
  const act = action(app);
  let typed = "";

  async function go() {
    if (!(await act.attempt(() => leave(typed).then(() => true)))) return;
    app.note(t("data.deleted"));
    app.go("/");
  }

  const farewell = () => html`<form @submit=${submitting(go)}>
    <p>${t("data.delete_lead")}</p>
    <label class="field"><span>${rich("data.delete_name", { name: html`<q>${app.me.player.name}</q>` })}</span>
      <input class="text" name="confirm" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${typed}
        @input=${(event) => (typed = event.target.value)} /></label>
    ${failed(act)}
    <div class="actions">${send(act, t("data.delete"))}</div>
  </form>`;

  const view = () => html`<section class="card">
    <h2>${t("data.title")}</h2>
    <p>${t("data.lead")}</p>
    <div class="actions"><a class="button quiet" href="/api/v1/me/export" download>${t("data.export")}</a></div>
    <details class="farewell">
      <summary>${t("data.delete_title")}</summary>
      ${farewell()}
    </details>
  </section>`;
  return { view };
}

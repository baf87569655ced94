/** The link in a mail of notices: the page does nothing until somebody confirms, and nobody need be signed in. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { post } from "../api.js";
import { t } from "../i18n.js";
import { failed } from "../parts/forms.js";

export function unsubscribe(app, { token }) {
  const act = action(app);
  let done = false;

  async function confirm() {
    done = Boolean(await act.attempt(() => post("/notices/unsubscribe", { token })));
    app.paint();
  }

  const asking = () => html`<p>${t("unsubscribe.lead")}</p>
    ${failed(act)}
    <div class="actions">
      <button type="button" class="button" ?disabled=${act.busy} @click=${confirm}>${t("unsubscribe.confirm")}</button>
    </div>`;

  return {
    title: () => t("unsubscribe.title"),
    view: () => html`<div class="page narrow"><section class="card">
      <h1>${t("unsubscribe.title")}</h1>
      <div role="status">${done ? html`<p>${t("unsubscribe.done")}</p>` : nothing}</div>
      ${done ? nothing : asking()}
    </section></div>`,
  };
}

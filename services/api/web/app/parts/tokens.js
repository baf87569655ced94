/** Keys for the owner's programs: each is shown once, when it is made. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, remove } from "../api.js";
import { instant, t } from "../i18n.js";
import { fetched, shown } from "./fetched.js";
import { failed, send, submitting } from "./forms.js";
import { copy } from "./share.js";

/** The section of the account page; `view()` paints it. */
export function tokens(app) {
  const found = fetched(app, () => get("/me/tokens").then((answer) => answer.tokens ?? answer));
  const act = action(app);
  let made = null;

  async function make(form) {
    const label = form.elements.label.value.trim();
    made = await act.run("/me/tokens", { label });
    if (made) form.reset();
    await found.again();
  }

  async function revoke(id) {
    await act.attempt(() => remove(`/me/tokens/${id}`));
    if (made?.id === id) made = null;
    await found.again();
  }

  const once = ({ token }) => html`<div class="once" role="status">
    <p>${t("tokens.once")}</p>
    <code>${token}</code>
    <button type="button" class="button small" @click=${() => copy(app, token)}>${t("share.copy")}</button>
  </div>`;

  const line = ({ id, label, created_at }) => html`<li>
    <span><strong>${label}</strong> <small>${created_at ? instant(created_at) : nothing}</small></span>
    <button type="button" class="button quiet small" aria-label=${t("tokens.revoke_this", { label })}
      @click=${() => revoke(id)}>${t("tokens.revoke")}</button>
  </li>`;

  const view = () => html`<section class="card">
    <h2>${t("tokens.title")}</h2>
    <p>${t("tokens.lead")}</p>
    ${made ? once(made) : nothing} ${shown(found, (all) => html`<ul class="token-list">${all.map(line)}</ul>`)}
    <form class="token-form" @submit=${submitting(make)}>
      <label class="field"><span>${t("tokens.label")}</span>
        <input class="text" name="label" required maxlength="40" autocomplete="off" /></label>
      ${send(act, t("tokens.make"))}
    </form>
    ${failed(act)}
  </section>`;
  return { view };
}

/** Keys for the owner's programs: each is shown once, when it is made. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, remove } from "../api.js";
import { day, t } from "../i18n.js";
import { fetched, shown } from "./fetched.js";
import { failed, send, submitting } from "./forms.js";
import { copy } from "./share.js";

const MAY = { read: "tokens.read", play: "tokens.play", account: "tokens.account" };
const SCOPES = Object.keys(MAY);

/** The section of the account page; `view()` paints it. */
export function tokens(app) {
  const found = fetched(app, () => get("/me/tokens").then((answer) => answer.tokens));
  const act = action(app);
  let made = null;
  let scopes = new Set(SCOPES);

  async function make(form) {
    const label = form.elements.label.value.trim();
    made = await act.run("/me/tokens", { label, scopes: [...scopes] });
    if (made) {
      form.elements.label.value = "";
      scopes = new Set(SCOPES);
    }
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

  function choose(scope, on) {
    scopes[on ? "add" : "delete"](scope);
    app.paint();
  }

  const choice = (scope) => html`<label class="switch">
    <input type="checkbox" role="switch" .checked=${scopes.has(scope)}
      @change=${(event) => choose(scope, event.target.checked)} /><span>${t(MAY[scope])}</span>
  </label>`;

  const line = ({ id, label, scopes: may, expires_at, last_used }) => html`<li>
    <span><strong>${label}</strong>
      <small>${may.map((scope) => t(MAY[scope])).join(" · ")}</small>
      <small>${last_used ? t("tokens.used", { day: day(last_used) }) : t("tokens.unused")}
        ${t("tokens.until", { day: day(expires_at.slice(0, 10)) })}</small></span>
    <button type="button" class="button quiet small" aria-label=${t("tokens.revoke_this", { label })}
      @click=${() => revoke(id)}>${t("tokens.revoke")}</button>
  </li>`;

  const view = () => html`<section class="card">
    <h2>${t("tokens.title")}</h2>
    <p>${t("tokens.lead")}</p>
    ${made ? once(made) : nothing} ${shown(found, (all) => html`<ul class="own-list">${all.map(line)}</ul>`)}
    <form class="token-form" @submit=${submitting(make)}>
      <label class="field"><span>${t("tokens.label")}</span>
        <input class="text" name="label" required maxlength="40" autocomplete="off" /></label>
      <fieldset class="choices"><legend>${t("tokens.may")}</legend>${SCOPES.map(choice)}</fieldset>
      ${send(act, t("tokens.make"), scopes.size === 0)}
    </form>
    ${failed(act)}
  </section>`;
  return { view };
}

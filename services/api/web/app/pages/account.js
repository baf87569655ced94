/** The own account: name, choices, where one is signed in, keys for programs, blocked players, and the ways out. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { t } from "../i18n.js";
import { change, signOut } from "../me.js";
import { blocked } from "../parts/blocked.js";
import { failed, send, submitting } from "../parts/forms.js";
import { notices } from "../parts/notices.js";
import { ownData } from "../parts/own_data.js";
import { sessions } from "../parts/sessions.js";
import { tokens } from "../parts/tokens.js";

export function account(app) {
  const { me } = app;
  const naming = action(app);
  const leaving = action(app);
  const isAccount = Boolean(me.player && !me.player.guest);
  const shunned = me.player ? blocked(app) : null;
  const sections = isAccount ? [notices(app), sessions(app), tokens(app), shunned, ownData(app)] : [];
  let name = me.player?.name ?? "";

  async function rename() {
    if (await naming.attempt(() => change({ name }).then(() => true))) {
      name = me.player.name;
      app.note(t("account.saved"));
    }
  }

  async function setFilter(event) {
    const filter = event.target.checked;
    await naming.attempt(() => change({ filter }).then(() => true));
  }

  async function leave() {
    if (await leaving.attempt(() => signOut().then(() => true))) app.go("/");
  }

  const nameForm = () => html`<form class="card" @submit=${submitting(rename)}>
    <h2>${t("account.name")}</h2>
    <label class="field"><span>${t("account.name_label")}</span>
      <input class="text" name="name" autocomplete="nickname" required minlength="3" maxlength="40" .value=${name}
        @input=${(event) => (name = event.target.value)} aria-describedby="name-rule" /></label>
    <p id="name-rule" class="hint">${t("account.name_rule")}</p>
    ${failed(naming)}
    <div class="actions">${send(naming, t("account.save"), name === me.player.name)}</div>
  </form>`;

  const choices = () => html`<section class="card">
    <h2>${t("account.choices")}</h2>
    <label class="switch"><input type="checkbox" role="switch" .checked=${me.settings.filter} @change=${setFilter} />
      <span>${t("chat.filter")}</span></label>
  </section>`;

  const guest = () => html`<section class="card">
    <p>${me.player ? t("account.guest", { name: me.player.name }) : t("account.nobody")}</p>
    <div class="actions"><a class="button" href="/sign-in">${t("nav.sign_in")}</a></div>
  </section>`;

  const own = () => html`<p class="lead">${t("account.signed_in", { email: me.email ?? me.player.name })}</p>
    <div class="actions">
      <button type="button" class="button quiet" @click=${leave}>${t("account.sign_out")}</button>
    </div>
    ${failed(leaving)} ${nameForm()} ${choices()} ${sections.map((section) => section.view())}`;

  return {
    title: () => t("account.title"),
    view: () => html`<div class="page narrow">
      <h1>${t("account.title")}</h1>
      ${isAccount && me.player ? own() : html`${guest()}${me.player ? [choices(), shunned.view()] : nothing}`}
    </div>`,
  };
}

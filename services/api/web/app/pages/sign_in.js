/** Signing in: at a provider, or by a link in an e-mail, whose page does nothing until somebody clicks. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, post, Problem } from "../api.js";
import { t } from "../i18n.js";
import { became } from "../me.js";
import { failed, send, submitting } from "../parts/forms.js";

const FOR_GOOD = [404, 410]; // a link that was refused so opens nothing any more

export function signIn(app, { query }) {
  const act = action(app);
  const going = action(app);
  const token = location.hash.slice(1);
  let email = "";
  let sent = false;
  let outbox = false; // is there an outbox page to look into?
  let provider = null; // the name of the provider, if there is one

  if (query.has("problem")) {
    going.problem = new Problem(0, { code: query.get("problem") });
    history.replaceState(null, "", location.pathname);
  }
  if (!token) look();

  async function look() {
    ({ provider } = await get("/sign-in").catch(() => ({ provider: null })));
    app.paint();
  }

  async function goThere() {
    const there = await going.attempt(() => post("/sign-in/oidc", { return_to: "/" }));
    if (there) location.assign(there.url);
  }

  async function ask() {
    sent = Boolean(await act.attempt(() => post("/sign-in/email", { email })));
    if (sent)
      outbox = await get("/outbox").then(
        () => true,
        () => false,
      );
    app.paint();
  }

  async function confirm() {
    history.replaceState(null, "", location.pathname);
    const answer = await act.attempt(() => post("/sign-in/confirm", { token }));
    if (!answer) return;
    await became(answer);
    app.note(t("sign_in.done", { name: app.me.player.name }));
    app.go(answer.new ? "/account" : "/", { replace: true });
  }

  function another() {
    sent = false;
    app.paint();
  }

  const asking = () => html`<h1>${t("sign_in.title")}</h1>
    ${provider ? atProvider() : html`<p class="lead">${t("sign_in.lead")}</p>${failed(going)}`}
    <form class="card" @submit=${submitting(ask)}>
      <label class="field"><span>${t("sign_in.email")}</span>
        <input class="text" type="email" name="email" autocomplete="email" required .value=${email}
          @input=${(event) => (email = event.target.value)} /></label>
      ${failed(act)}
      <div class="actions">${send(act, t("sign_in.send"))}</div>
      ${app.me.player?.guest ? html`<p class="hint">${t("sign_in.keeps", { name: app.me.player.name })}</p>` : nothing}
    </form>`;

  const atProvider = () => html`<section class="card">
      ${failed(going)}
      <div class="actions">
        <button type="button" class="button provider" ?disabled=${going.busy} aria-busy=${going.busy} @click=${goThere}>
          ${t("sign_in.provider", { name: provider })}</button>
      </div>
    </section>
    <p>${t("sign_in.or")}</p>`;

  const looking = () => html`<section class="card" role="status">
    <h1>${t("sign_in.sent")}</h1>
    <p>${t("sign_in.sent_more", { email })}</p>
    <div class="actions">
      ${outbox ? html`<a class="button" href="/outbox">${t("sign_in.outbox")}</a>` : nothing}
      <button type="button" class="button quiet" @click=${another}>${t("sign_in.change")}</button>
    </div>
  </section>`;

  const confirming = () => html`<section class="card">
    <h1>${t("sign_in.confirm")}</h1>
    <p>${t("sign_in.confirm_more")}</p>
    ${failed(act)}
    <div class="actions">
      <button type="button" class="button" ?disabled=${act.busy} @click=${confirm}>${t("sign_in.confirm_this")}</button>
    </div>
  </section>`;

  const refused = () => html`<section class="card">
    <h1>${t("sign_in.title")}</h1>
    ${failed(act)}
    <div class="actions"><a class="button" href="/sign-in">${t("sign_in.new_link")}</a></div>
  </section>`;

  const view = () => {
    if (token) return FOR_GOOD.includes(act.problem?.status) ? refused() : confirming();
    return sent ? looking() : asking();
  };
  return { title: () => t("sign_in.title"), view: () => html`<div class="page narrow">${view()}</div>` };
}

/** An invite: shown by opening it, taken by a deliberate click only. Its maker sees it waiting. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, remove } from "../api.js";
import { instant, t } from "../i18n.js";
import { fetched, shown, trouble } from "../parts/fetched.js";
import { failed, send, submitting } from "../parts/forms.js";
import { secretField } from "../parts/secret.js";
import { shareLink } from "../parts/share.js";
import { follow } from "../socket.js";
import { nameOf } from "../words.js";

export function invite(app, { token }) {
  const path = `/invites/${encodeURIComponent(token)}`;
  const secret = secretField(app);
  const take = action(app);
  const withdraw = action(app);
  const found = fetched(app, () => get(path).then(watch));
  let feed = null;

  /** While it is open its maker waits here: the game's feed tells when somebody has come. */
  function watch(value) {
    if (value.yours && value.state === "open") {
      feed ??= follow(value.game, { heard: came, state() {}, last: () => null });
    } else feed?.close();
    return value;
  }

  function came({ type, view }) {
    if (type === "view" && view.opponent.player) app.go(`/game/${view.id}`, { replace: true });
    else if (type === "view" && view.state === "void") found.again();
  }

  async function accept() {
    const view = await take.run(`${path}/accept`, { secret: secret.word() });
    if (view) return app.go(`/game/${view.id}`, { replace: true });
    const { code, facts } = take.problem;
    if (code === "rival_game_exists" && facts.game) app.note(t("problem.rival_game_exists"));
    if (/^invite_/.test(code)) found.again();
  }

  const undo = async () => {
    if (await withdraw.attempt(() => remove(path))) await found.again();
  };

  const waiting = ({ url, expires_at }) => html`<section class="card waiting">
    <h1>${t("invite.waiting")}</h1>
    <p>${t("invite.waiting_more")}</p>
    ${shareLink(app, url)}
    <p class="hint">${t("invite.until", { when: instant(expires_at) })}</p>
    ${failed(withdraw)}
    <button type="button" class="button quiet" ?disabled=${withdraw.busy} @click=${undo}>
      ${t("invite.withdraw")}
    </button>
  </section>`;

  const offer = ({ maker, expires_at }) => html`<form @submit=${submitting(accept)}>
    <h1>${t("invite.from", { name: nameOf(maker) })}</h1>
    <p class="lead">${t("invite.rules")} <a href="/how-to-play">${t("invite.rules_more")}</a></p>
    <section class="card">
      <h2>${t("invite.pick", { name: nameOf(maker) })}</h2>
      ${secret.view()}
    </section>
    ${failed(take)}
    <div class="actions">${send(take, t("invite.accept"), !secret.word())}</div>
    <p class="hint">
      ${t("invite.until", { when: instant(expires_at) })} ${app.me.player ? nothing : t("invite.as_guest")}
    </p>
  </form>`;

  const gone = ({ state, game, yours }) => html`<section class="card">
    <h1>${t(`invite.${state}`)}</h1>
    <p>${t(yours ? `invite.${state}_yours` : `invite.${state}_more`)}</p>
    <div class="actions">
      ${game && state === "used" ? html`<a class="button" href="/game/${game}">${t("invite.to_game")}</a>` : nothing}
      <a class="button ${game && state === "used" ? "quiet" : ""}" href="/new">${t("nav.new")}</a>
    </div>
  </section>`;

  const page = (value) => {
    if (value.state !== "open") return gone(value);
    return value.yours ? waiting(value) : offer(value);
  };

  const view = () => {
    if (found.problem?.code === "unknown_invite") return unknown();
    return found.problem ? trouble(found.problem, found.again) : shown(found, page);
  };

  return {
    title: () => t("invite.title"),
    view: () => html`<div class="page narrow">${view()}</div>`,
    close: () => feed?.close(),
  };
}

const unknown = () => html`<section class="card">
  <h1>${t("invite.unknown")}</h1>
  <p>${t("invite.unknown_more")}</p>
  <div class="actions"><a class="button" href="/new">${t("nav.new")}</a></div>
</section>`;

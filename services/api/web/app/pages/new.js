/** A new game: pick a secret, then a rival, a link or an address. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get } from "../api.js";
import { t } from "../i18n.js";
import { fetched } from "../parts/fetched.js";
import { failed, send, submitting } from "../parts/forms.js";
import { secretField } from "../parts/secret.js";
import { record } from "../parts/players.js";
import { nameOf } from "../words.js";

export function newGame(app, { query }) {
  const secret = secretField(app);
  const start = action(app);
  const rivals =
    app.me.player && !app.me.player.guest ? fetched(app, () => get("/rivals").then(settle)) : null;
  let choice = "link";
  let played = null; // the rival who was asked for, when today's game with them is there already
  let email = "";

  /** The rival named in the address is chosen, if there can be a game with them today. */
  function settle({ rivals: all }) {
    const wanted = all.find(({ player }) => player.id === query.get("rival"));
    if (wanted?.today?.your_secret_set) played = wanted;
    else if (wanted) choice = wanted.player.id;
    return all;
  }

  async function begin() {
    if (choice === "link" || choice === "mail") return invite();
    const game = await start.run("/duels", { rival_id: choice, secret: secret.word() });
    if (game) app.go(`/game/${game.id}`);
    else if (start.problem.code === "rival_game_exists") app.go(`/game/${start.problem.facts.game}`);
  }

  async function invite() {
    const wish = { kind: "duel", secret: secret.word() };
    const made = await start.run("/invites", choice === "mail" ? { ...wish, email } : wish);
    if (!made) return;
    if (choice === "mail") app.note(t("new.mailed", { email }));
    app.go(`/invite/${made.token}`);
  }

  const choose = (value) => {
    choice = value;
    app.paint();
  };

  const option = (value, title, more) => html`<label class="option">
    <input type="radio" name="whom" value=${value} .checked=${choice === value} @change=${() => choose(value)} />
    <span><strong>${title}</strong><small>${more}</small></span>
  </label>`;

  const rivalOptions = () =>
    (rivals?.value ?? []).map(({ player, records, today }) =>
      today?.your_secret_set
        ? nothing
        : option(player.id, nameOf(player), today ? t("new.they_wait") : record(records.duel)),
    );

  const address = () => html`<label class="field">
    <span>${t("new.email")}</span>
    <input class="text" type="email" required autocomplete="email" .value=${email}
      @input=${(event) => (email = event.target.value)} />
  </label>`;

  const label = () => t({ link: "new.make_link", mail: "new.send_mail" }[choice] ?? "new.start");

  return {
    title: () => t("new.title"),
    view: () => html`<form class="page narrow" @submit=${submitting(begin)}>
      <h1>${t("new.title")}</h1>
      <section class="card">
        <h2><span class="step">1</span>${t("new.pick")}</h2>
        <p>${t("new.pick_more")}</p>
        ${secret.view()}
      </section>
      <section class="card">
        <h2><span class="step">2</span>${t("new.whom")}</h2>
        <fieldset class="options">
          <legend class="unseen">${t("new.whom")}</legend>
          ${played ? html`<p class="hint">${t("new.played", { name: nameOf(played.player) })}</p>` : nothing}
          ${rivalOptions()} ${option("link", t("new.link"), t("new.link_more"))}
          ${option("mail", t("new.mail"), t("new.mail_more"))}
        </fieldset>
        ${choice === "mail" ? address() : nothing}
      </section>
      ${failed(start)}
      <div class="actions">${send(start, label(), !secret.word())}</div>
    </form>`,
  };
}

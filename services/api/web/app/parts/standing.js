/** When there is nothing to type: before both words are set, and after the own last guess. */

import { html } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { nameOf } from "../words.js";
import { failed, send, submitting } from "./forms.js";

/** Before the start: the own secret is missing, or somebody else's is, or the invite is still out or over. */
export function notStarted(app, view, play) {
  const name = nameOf(view.opponent.player);
  if (view.state === "void")
    return panel(t(`invite.${view.invite.state}`), t(`invite.${view.invite.state}_yours`));
  if (!view.opponent.player) return panel(t("standing.invite"), t("standing.invite_more"));
  if (view.you.secret)
    return panel(t("standing.their_word", { name }), t("standing.their_word_more", { name }));
  return html`<form class="card" @submit=${submitting(play.setSecret)}>
    <h2>${t("invite.pick", { name })}</h2>
    ${play.secret.view()} ${failed(play.setting)}
    <div class="actions">${send(play.setting, t("standing.set"), !play.secret.word())}</div>
  </form>`;
}

/** After the own last guess, while the other still plays. */
export function finished({ you, opponent }) {
  const name = nameOf(opponent.player);
  const title = you.solved ? t("standing.solved", { count: you.guesses.length }) : t("standing.failed");
  return panel(title, t("standing.wait", { name }));
}

const panel = (title, more) => html`<div class="card standing" tabindex="-1">
  <h2>${title}</h2>
  <p>${more}</p>
</div>`;

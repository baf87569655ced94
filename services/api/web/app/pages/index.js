/** Every page and its address. */

import { html } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { account } from "./account.js";
import { game } from "./game.js";
import { history } from "./history.js";
import { howToPlay } from "./how_to_play.js";
import { invite } from "./invite.js";
import { lobby } from "./lobby.js";
import { newGame } from "./new.js";
import { outbox } from "./outbox.js";
import { rivals } from "./rivals.js";
import { signIn } from "./sign_in.js";
import { verify } from "./verify.js";

export const routes = [
  ["/", lobby],
  ["/new", newGame],
  ["/invite/{token}", invite],
  ["/game/{id}", game],
  ["/verify/{id}", verify],
  ["/rivals", rivals],
  ["/history", history],
  ["/sign-in", signIn],
  ["/account", account],
  ["/how-to-play", howToPlay],
  ["/outbox", outbox],
];

/** The page for an address that shows nothing. */
export const lost = () => ({
  title: () => t("lost.title"),
  view: () => html`<div class="page narrow">
    <h1>${t("lost.title")}</h1>
    <p class="lead">${t("lost.lead")}</p>
    <div class="actions"><a class="button" href="/">${t("lost.home")}</a></div>
  </div>`,
});

/** Every page and its address. */

import { html } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { load } from "../me.js";
import { fetched, shown } from "../parts/fetched.js";
import { about } from "./about.js";
import { account } from "./account.js";
import { calendar } from "./calendar.js";
import { daily } from "./daily.js";
import { dailyVerify } from "./daily_verify.js";
import { desk } from "./desk.js";
import { game } from "./game.js";
import { history } from "./history.js";
import { howToPlay } from "./how_to_play.js";
import { invite } from "./invite.js";
import { lobby } from "./lobby.js";
import { newGame } from "./new.js";
import { outbox } from "./outbox.js";
import { practice } from "./practice.js";
import { solver } from "./solver.js";
import { solverHelp } from "./solver_help.js";
import { rivals } from "./rivals.js";
import { signIn } from "./sign_in.js";
import { unsubscribe } from "./unsubscribe.js";
import { verify } from "./verify.js";

export const routes = [
  ["/", withMe(lobby)],
  ["/new", withMe(newGame)],
  ["/invite/{token}", invite],
  ["/game/{id}", game],
  ["/verify/{id}", verify],
  ["/daily", withMe(daily)],
  ["/daily/calendar", withMe(calendar)],
  ["/daily/{day}", withMe(daily)],
  ["/daily/{day}/verify", withMe(dailyVerify)],
  ["/rivals", withMe(rivals)],
  ["/history", withMe(history)],
  ["/sign-in", signIn],
  ["/account", withMe(account)],
  ["/unsubscribe/{token}", unsubscribe],
  ["/how-to-play", howToPlay],
  ["/about", about],
  ["/practice", practice],
  ["/solver", solver],
  ["/solver/help", solverHelp],
  ["/outbox", outbox],
  ["/desk", (app, params) => desk(app, params, lost)],
];

/** A page that shows what belongs to somebody: first it must be known who that is. */
function withMe(page) {
  return (app, params) => (app.me.known ? page(app, params) : unreachable(app));
}

/** Nobody has told us who we are: the server was not reached. */
function unreachable(app) {
  const asked = fetched(app, () => load().then(app.reopen));
  return {
    title: () => t("lost.offline"),
    view: () => html`<div class="page narrow"><h1>${t("lost.offline")}</h1>${shown(asked, () => "")}</div>`,
  };
}

/** The page for an address that shows nothing. */
export const lost = () => ({
  title: () => t("lost.title"),
  view: () => html`<div class="page narrow">
    <h1>${t("lost.title")}</h1>
    <p class="lead">${t("lost.lead")}</p>
    <div class="actions"><a class="button" href="/">${t("lost.home")}</a></div>
  </div>`,
});

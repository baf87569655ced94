/** One game: what has happened is told, what is typed is checked, and the clock is watched. */

import { html } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { serverNow } from "../api.js";
import { left, phrase, warning } from "../countdown.js";
import { canType, duel, heading, narrow } from "../games/duel.js";
import { t } from "../i18n.js";
import { toggle } from "../parts/chat.js";
import { trouble, waiting } from "../parts/fetched.js";
import { gameReview } from "../parts/looking_back.js";
import { secretField } from "../parts/secret.js";
import { hold, presence } from "../presence.js";
import { duelSeat } from "../seats.js";
import { sit } from "../table.js";
import { join } from "../talk.js";
import { typing } from "../typing.js";
import { nameOf, news } from "../words.js";

const CLOSING = 5000; // milliseconds after midnight: the closing should have come by itself

export function game(app, { id }) {
  const play = {
    fresh: null, // how many rows stood there when the page was opened
    held: false, // the result waits until the last row has been seen
    secret: null, // the field for a secret that is still to be set
    setting: action(app),
    review: gameReview(app, id),
    typed: null,
    setSecret,
    left: () => left(table.view.closes_at, serverNow()),
  };
  const table = sit(duelSeat(id), { changed: app.paint, happened, settled });
  play.typed = typing(app, table, { open: () => canType(table.view), guesses: () => table.view.you.guesses });
  const talk = join(id, { own: () => table.view?.you.player.id, changed: app.paint, said });
  table.chat = talk;
  const here = presence({ tick, back });
  let seen = Infinity; // milliseconds left at the last tick

  function happened(before, view) {
    if (view.kind === "daily") return app.go(`/daily/${view.day}`, { replace: true });
    play.fresh ??= { own: view.you.guesses.length, other: view.opponent.rows.length };
    if (view.opponent.player && !before?.opponent.player) talk.load();
    if (view.state === "waiting" && !view.invite && !view.you.secret) play.secret ??= secretField(app);
    if (before) news(before, view).forEach(app.say);
    if (before && view.result && !before.result) hold(app, play, ".verdict h2");
  }

  function settled(problem) {
    play.typed.settled(problem);
    if (problem?.status === 409) table.look();
  }

  function said({ player, text, filtered }) {
    const heard = app.me.settings.filter ? filtered : text;
    app.say(t("said.chat", { name: nameOf(player), text: heard }));
  }

  async function setSecret() {
    const view = await play.setting.run(`/games/${id}/secret`, { secret: play.secret.word() });
    if (view) table.take(view);
    else table.look();
  }

  function tick() {
    const view = table.view;
    if (!view?.closes_at || view.result) return;
    const now = play.left();
    const minutes = warning(seen, now);
    if (minutes) app.say(t("clock.warning", { count: minutes }));
    if (String(phrase(seen)) !== String(phrase(now)) || now < seen - 500) app.paint(); // not twice a second
    if (now === 0 && serverNow() - Date.parse(view.closes_at) > CLOSING) table.look();
    seen = now;
  }

  function back() {
    table.hurry();
    table.look();
  }

  return {
    get wide() {
      return !table.problem;
    },
    title: () => (talk.unread() ? `(${talk.unread()}) ` : "") + heading(table.view),
    key(event) {
      if (event.key === "Escape" && talk.open) return toggle(talk);
      if (table.view) play.typed.key(event);
    },
    view() {
      if (table.problem)
        return html`<div class="page narrow"><h1>${t("game.title")}</h1>${trouble(table.problem, table.look)}</div>`;
      return table.view ? duel(app, { table, talk, play }) : waiting();
    },
    covered: () => talk.open && narrow(),
    painted: () => talk.open && scrollDown(),
    close() {
      here.leave();
      table.leave();
      play.review.leave();
    },
  };
}

/** When a message has come, the list shows its end. */
function scrollDown() {
  const list = document.querySelector(".messages");
  const count = String(list?.childElementCount);
  if (!list || list.dataset.count === count) return;
  list.dataset.count = count;
  list.scrollTop = list.scrollHeight;
}

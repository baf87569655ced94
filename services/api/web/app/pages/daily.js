/** The Daily of today or of a day before: playing it, how it went, and the midnight in between. */

import { html } from "/vendor/lit-html.js";
import { serverNow } from "../api.js";
import { left, phrase, warning } from "../countdown.js";
import { easternDay } from "../eastern.js";
import { opened } from "../first_visit.js";
import { finished, playing, verdict } from "../games/daily.js";
import { rich, t } from "../i18n.js";
import { clock } from "../parts/clock.js";
import { dailyResults } from "../parts/daily_results.js";
import { english } from "../parts/english.js";
import { trouble, waiting } from "../parts/fetched.js";
import { resultShare } from "../parts/share_result.js";
import { hold, presence } from "../presence.js";
import { dailySeat } from "../seats.js";
import { sit } from "../table.js";
import { typing } from "../typing.js";
import { spoken } from "../words.js";

const REVEALED = 3; // seconds between looks for a word that is to be shown
const CLOSING = 5000; // milliseconds after midnight: the closing should have come by itself

export function daily(app, { day }) {
  const play = {
    fresh: null, // how many rows stood there when the page was opened
    held: false, // the result waits until the last row has been seen
    typed: null,
    left: () => left(table.view.closes_at, serverNow()),
    spent: () => Math.max(serverNow() - Date.parse(table.view.guesses[0].at), 0),
  };
  const table = sit(dailySeat(app.me, day), { changed: app.paint, happened, settled });
  const isOpen = () => table.view?.state === "open";
  play.typed = typing(app, table, { open: isOpen, guesses: () => table.view.guesses });
  const share = resultShare(app);
  let results = null; // once it is over
  const here = presence({ tick, back });
  let seen = Infinity; // milliseconds left at the last tick
  let waited = 0; // seconds without the word of a day that is over

  function happened(before, view) {
    play.fresh ??= view.guesses.length;
    const isToday = view.day === easternDay(serverNow());
    if (view.state !== "open") results ??= dailyResults(app, view);
    if (!before && isToday) opened(view.day);
    if (!before) return;
    view.guesses.slice(before.guesses.length).forEach((guess) => app.say(spoken(guess)));
    if (view.state === "open") return;
    if (before.state === "open") app.say(verdict(view));
    if (view.state !== "solved" && view.word && !before.word)
      app.say(rich("practice.word", { word: english(view.word) }));
    const newRow = view.guesses.length > before.guesses.length;
    if (before.state === "open") hold(app, play, ".verdict-card h2", newRow);
  }

  function settled(problem) {
    play.typed.settled(problem);
    if (problem?.status === 409) table.look();
  }

  function tick() {
    const { view } = table;
    if (!view) return;
    const now = play.left();
    if (isOpen()) {
      const minutes = warning(seen, now);
      if (minutes) app.say(t("clock.warning", { count: minutes }));
      const late = view.version === 0 ? 0 : CLOSING; // nothing closes what was never begun
      if (now === 0 && serverNow() - Date.parse(view.closes_at) > late) table.look();
    } else if (!view.word && (waited += 1) % REVEALED === 0) table.look();
    const running = isOpen() && view.guesses.length > 0;
    if (running || String(phrase(seen)) !== String(phrase(now))) app.paint();
    seen = now;
  }

  function back() {
    table.hurry();
    table.look();
    results?.again();
  }

  /** After the end: how long until the next one, or the way to it. */
  function next({ closes_at, day: shown }) {
    if (shown === easternDay(serverNow()))
      return clock(left(closes_at, serverNow()), { label: t("daily.next"), title: t("daily.closes") });
    return html`<div class="actions"><a class="button" href="/daily">${t("daily.today")}</a></div>`;
  }

  const isOver = () => table.view && !isOpen() && !play.held;

  return {
    get wide() {
      return Boolean(table.view) && !isOver();
    },
    title: () => t("daily.title"),
    key: (event) => isOpen() && play.typed.key(event),
    view() {
      const { view } = table;
      if (table.problem)
        return html`<div class="page narrow"><h1>${t("daily.title")}</h1>${trouble(table.problem, table.look)}</div>`;
      if (!view) return waiting();
      if (!isOver()) return playing({ table, play });
      return finished(view, { today: next(view), share: share.view(view), more: results.view() });
    },
    close() {
      here.leave();
      table.leave();
      results?.leave();
    },
  };
}

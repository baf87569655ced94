/** Practice: a word to find, alone; it goes on where this browser has left it. */

import { html } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { query } from "../api.js";
import { practice as shownGame, verdict } from "../games/practice.js";
import { rich, t } from "../i18n.js";
import { english } from "../parts/english.js";
import { trouble, waiting } from "../parts/fetched.js";
import { practise } from "../practice.js";
import { typing } from "../typing.js";
import { because, spoken } from "../words.js";

export function practice(app) {
  const begin = action(app);
  const table = practise({ changed: app.paint, happened, settled: (problem) => play.typed.settled(problem) });
  const play = {
    fresh: table.game?.guesses.length ?? 0, // how many rows stood there when the page was opened
    typed: typing(app, table, { open: table.isOpen, guesses: () => table.game.guesses }),
    begin,
    another,
  };
  if (!table.game) start();

  async function start() {
    const game = await begin.attempt(() => query("/practice", {}));
    if (game) {
      play.fresh = 0;
      table.take(game);
    } else if (table.game) app.note(because(begin.problem));
  }

  /** Another word; a game that has begun is given up only when asked twice. */
  function another() {
    const begun = table.isOpen() && table.game.guesses.length > 0;
    if (!begun || play.typed.sure("another", t("practice.give_up"))) start();
  }

  function happened(game) {
    const last = game.guesses.at(-1);
    app.say(last ? spoken(last) : t("practice.begun"));
    if (game.state === "open") return;
    app.say(verdict(game));
    if (game.state === "failed") app.say(rich("practice.word", { word: english(game.word) }));
    setTimeout(() => document.activeElement === document.body && document.querySelector(".standing h2")?.focus());
  }

  return {
    wide: true,
    title: () => t("nav.practice"),
    key: (event) => table.isOpen() && play.typed.key(event),
    view() {
      if (table.game) return shownGame({ table, play });
      if (!begin.problem) return waiting();
      return html`<div class="page narrow"><h1>${t("nav.practice")}</h1>${trouble(begin.problem, start)}</div>`;
    },
    close: table.leave,
  };
}

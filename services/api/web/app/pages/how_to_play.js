/** The rules, with tiles. */

import { html } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { tiles } from "../parts/board.js";
import { unseen, withWords } from "../parts/english.js";

const EXAMPLES = [
  ["help.right", { word: "paint", marks: "CIIII" }],
  ["help.near", { word: "river", marks: "IIRII" }],
  ["help.miss", { word: "cloud", marks: "IIIII" }],
  ["help.twice", { word: "geese", marks: "IRCRI" }],
];

const POINTS = ["seats", "guess", "colours", "midnight", "win", "invite", "rival", "chat"];
const DAILY = ["word", "clock", "midnight", "board", "fair"];

export const howToPlay = () => ({
  title: () => t("nav.help"),
  view: () => html`<div class="page prose">
    <h1>${t("nav.help")}</h1>
    <p class="lead">${t("help.lead")}</p>
    <section class="card">
      <h2>${t("help.marks")}</h2>
      <ul class="examples">${EXAMPLES.map(example)}</ul>
    </section>
    <section class="card">
      <h2>${t("help.duel")}</h2>
      <ul class="points">${POINTS.map((point) => html`<li>${t(`help.${point}`)}</li>`)}</ul>
    </section>
    <section class="card">
      <h2>${t("daily.title")}</h2>
      <ul class="points">${DAILY.map((point) => html`<li>${t(`help.daily_${point}`)}</li>`)}</ul>
    </section>
    <section class="card">
      <h2>${t("help.fair")}</h2>
      <p>${t("help.fair_more")}</p>
    </section>
    <div class="actions"><a class="button" href="/new">${t("nav.new")}</a></div>
  </div>`,
});

const example = ([key, guess]) => html`<li>
  <span class="word small">${unseen(guess)}${tiles(guess)}</span>
  <p>${withWords(t(key))}</p>
</li>`;

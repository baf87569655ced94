/** Practice: the board, what to type with, and at the end the word and the way to another one. */

import { html, nothing } from "/vendor/lit-html.js";
import { rich, t } from "../i18n.js";
import { plain } from "../parts/board.js";
import { guessing } from "../parts/guessing.js";
import * as icons from "../parts/icons.js";
import { because } from "../words.js";

/** `play` has `fresh` (rows that are not turned over any more), `typed`, and `another()`, which `begin` carries out. */
export function practice({ table, play }) {
  return html`<div class="table solo">
    <div class="table-main">
      <header class="table-head">
        <h1>${t("nav.practice")}</h1>
        ${table.isOpen() ? another(table, play, "tool") : nothing}
      </header>
      <section class="mine" aria-label=${t("game.yours")}>${grid(table, play)}</section>
    </div>
  </div>`;
}

const another = ({ sending }, play, look) => html`<button
  type="button"
  class=${look}
  ?disabled=${play.begin.busy || Boolean(sending)}
  @click=${play.another}
>
  ${icons.dice()}${t("practice.another")}
</button>`;

function grid(table, play) {
  const { game } = table;
  const open = table.isOpen();
  const own = { guesses: game.guesses, solved: game.state === "solved", fresh: play.fresh, open };
  const { rows, line, keys } = guessing(table, play.typed, own);
  return html`${rows} ${open ? html`${line} ${keys}` : over(table, play)}`;
}

/** After the last guess, or when the game cannot be played on. */
function over(table, play) {
  const { game, lost } = table;
  const still = play.fresh >= game.guesses.length;
  return html`<div class="card standing ${still ? "still" : ""}">
    <h2 tabindex="-1">${lost ? because(lost) : verdict(game)}</h2>
    ${game.state === "failed" ? html`<p>${rich("practice.word", { word: plain(game.word, "small") })}</p>` : nothing}
    <div class="actions">
      ${another(table, play, "button small")}
      ${lost ? nothing : html`<a class="button quiet small" href="/solver#b=${written(game)}">${t("review.open")}</a>`}
    </div>
  </div>`;
}

/** How a game has ended, in a few words. */
export const verdict = ({ state, guesses }) =>
  state === "solved" ? t("standing.solved", { count: guesses.length }) : t("standing.failed");

/** The board as the solver's page reads it from an address. */
const written = ({ guesses }) => guesses.map(({ word, marks }) => `${word.toUpperCase()}.${marks}`).join("_");

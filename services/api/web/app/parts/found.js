/** What the solver found: the openings, the words that can be the answer, or why there are none. */

import { html, nothing } from "/vendor/lit-html.js";
import { list, number, rich, richList, t } from "../i18n.js";
import { SOLVED } from "../marks.js";
import { passing } from "../patience.js";
import { LIMITS } from "../solver/desk.js";
import { because } from "../words.js";
import { candidates } from "./candidates.js";
import { english } from "./english.js";
import { waiting } from "./fetched.js";

export const WORDS = LIMITS.at(-1);
const SPLIT_MOST = 500; // words: with more the service names none that split better

/** `put(word, event)` takes a word over, `swap()` changes the two tiles of an impossible row. */
export function found(desk, { put, swap }) {
  const { asked, counted, fault } = desk;
  if (fault) return impossible(desk.board, fault, swap);
  if (!counted.length) return openings(desk, put);
  if (asked.problem) return unanswered(desk, asked.problem, put);
  if (!asked.answer) return waiting(t("solver.working"));
  return html`<div class="found-answer" aria-busy=${asked.busy}>${answer(desk, asked.answer, put)}</div>`;
}

function impossible({ rows }, { row, gray, yellow }, swap) {
  const letter = rows[row].letters[gray].toUpperCase();
  const values = { row: row + 1, letter, gray: gray + 1, yellow: yellow + 1 };
  return html`<h2>${t("solver.impossible_title")}</h2>
    <p class="failed" id="solver-fault">${t("solver.impossible", values)}</p>
    <button type="button" class="button small" @click=${swap}>${t("solver.swap")}</button>`;
}

const openings = ({ openings: best }, put) => html`<h2>${t("solver.openings")}</h2>
  <p class="hint">${t("solver.openings_more", { words: WORDS })}</p>
  ${explained()}
  ${best ? candidates({ label: t("solver.openings"), words: best, put }) : waiting()}`;

/** The number and the order in two sentences, with the way to the rest. */
const explained = () => html`<p class="hint">
  ${t("solver.tap")} ${t("solver.number")} ${t("solver.order")} <a href="/solver/help#order">${t("solver.why")}</a>
</p>`;

function answer(desk, { question, ...said }, put) {
  const notes = leftOut(said.left_out.map((index) => question.rows[index]));
  if (said.status === "contradiction") return html`${contradiction(question, said)} ${notes}`;
  if (said.status === "no_word") {
    return html`<h2>${t("solver.no_word_title")}</h2>
      <p class="failed">${t("solver.no_word", { words: WORDS })}</p>
      ${notes}`;
  }
  const opening = said.left_out.length === question.rows.length; // nothing counts: these are the openings
  const solved = question.rows.findIndex(({ marks }) => marks === SOLVED) + 1;
  return html`<h2>${solved ? t("standing.solved", { count: solved }) : t("solver.count", { count: said.count })}</h2>
    ${notes} ${said.trap ? trap() : nothing} ${said.count > 1 ? explained() : nothing}
    ${candidates({ label: t("solver.list"), words: said.candidates, put })}
    ${rest(desk, said.candidates.length, said.count, opening)}
    ${said.count > 2 && said.count <= SPLIT_MOST ? splitters(desk, said, put) : nothing}`;
}

function contradiction({ rows }, { conflict }) {
  const numbers = conflict.map((index) => number(rows[index].row + 1));
  return html`<h2>${t("solver.contradiction_title")}</h2>
    <p class="failed">${t("solver.contradiction", { count: numbers.length, rows: list(numbers) })}</p>`;
}

function leftOut(rows) {
  if (!rows.length) return nothing;
  const numbers = rows.map(({ row }) => number(row + 1));
  const guesses = rows.map(({ guess }) => english(guess.toUpperCase()));
  const values = { count: rows.length, rows: list(numbers), guesses: richList(guesses) };
  return html`<p class="failed">${rich("solver.left_out", values)}</p>`;
}

const trap = () => html`<div class="trap">
  <h3>${t("solver.trap")}</h3>
  <p>${t("solver.trap_more")}</p>
</div>`;

/** How many are not shown, and more of them, unless these are `all` that are ranked. */
const rest = (desk, shown, count, all = false) =>
  shown < count
    ? html`<div class="actions found-more">
        <span class="hint">${t("solver.shown", { shown, count })}</span>
        ${
          all
            ? nothing
            : html`<button type="button" class="button quiet small" @click=${desk.more}>${t("solver.more")}</button>`
        }
      </div>`
    : nothing;

function splitters(desk, { splitters: words }, put) {
  const flip = () => desk.splitting(!desk.split);
  return html`<section class="split">
    <button type="button" class="button quiet small" aria-expanded=${desk.split} @click=${flip}>
      ${t(desk.split ? "solver.split_hide" : "solver.split")}
    </button>
    ${desk.split && words ? (words.length ? better(words, put) : html`<p>${t("solver.split_none")}</p>`) : nothing}
  </section>`;
}

const better = (words, put) => html`<p>
    ${t("solver.split_more")} <strong class="split-tag">${t("solver.split_tag")}</strong>
  </p>
  ${candidates({ label: t("solver.split"), words, put })}`;

/** No answer: what this browser can say by itself. */
function unanswered(desk, problem, put) {
  if (!passing(problem.status)) return html`<p class="failed" id="solver-fault">${because(problem)}</p>`;
  const fit = desk.fits();
  const why = problem.status === 0 ? t("solver.offline") : because(problem);
  if (!fit) return html`<p class="failed">${problem.status === 0 ? t("solver.offline_nothing") : why}</p>`;
  const notes = leftOut(desk.unknown());
  if (!fit.count) return html`<h2>${t("solver.no_word_title")}</h2><p class="hint">${why}</p>${notes}`;
  const title = t("solver.count", { count: fit.count });
  return html`<h2>${title}</h2>
    <p class="failed">${why}</p>
    ${notes} ${candidates({ label: title, words: fit.first, put })}
    ${rest(desk, fit.first.length, fit.count)}`;
}

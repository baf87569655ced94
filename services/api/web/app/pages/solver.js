/** The solver: a board to fill in, and what can still be the answer. */

import { html, nothing } from "/vendor/lit-html.js";
import { GUESSES, LENGTH } from "../draft.js";
import { rich, t } from "../i18n.js";
import { meaning, shown } from "../keys.js";
import { SOLVED } from "../marks.js";
import { english } from "../parts/english.js";
import { entry } from "../parts/entry.js";
import { found } from "../parts/found.js";
import * as icons from "../parts/icons.js";
import { keyboard } from "../parts/keyboard.js";
import { boardReview } from "../parts/looking_back.js";
import { texts } from "../parts/paste.js";
import * as boards from "../solver/board.js";
import { desk as sitDown } from "../solver/desk.js";
import { asText } from "../solver/text.js";
import { troubles } from "../solver/troubles.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const DIGITS = { 1: "I", 2: "R", 3: "C" };

export function solver(app) {
  const desk = sitDown({ place: location, changed: app.paint, answered });
  const review = boardReview(app);
  const text = texts(app, desk);
  let follow = false; // the focus goes to the current tile with the next painting

  function answered({ status, count, candidates: [best] }) {
    if (best) app.say(rich("solver.said", { count, word: english(best.word.toUpperCase()) }));
    else app.say(t(status === "no_word" ? "solver.no_word_title" : "solver.contradiction_title"));
  }

  function touch(place) {
    desk.edit(boards.turn, place);
    sayMark(place);
  }

  function sayMark(place) {
    const [row, tile] = [boards.rowOf(place), boards.tileOf(place)];
    const [letter, mark] = [desk.board.rows[row]?.letters[tile].toUpperCase(), boards.markAt(desk.board, place)];
    const key = letter ? "solver.tile" : "solver.tile_unlettered";
    if (mark) app.say(t(key, { row: row + 1, tile: tile + 1, letter, mark: t(`solver.mark.${mark}`) }));
  }

  function remove(row) {
    desk.edit(boards.remove, row);
    follow = true;
    app.note(t("solver.row_deleted", { row: row + 1 }));
  }

  /** A candidate was tapped. By keyboard one goes on with its colours. */
  function put(word, { detail }) {
    if (!desk.edit(boards.put, word)) return app.note(t("solver.full"));
    const row = desk.board.rows.findLastIndex(({ letters }) => letters.join("") === word);
    if (detail === 0) follow = desk.edit(boards.go, row * LENGTH);
    app.note(rich("solver.put", { word: english(word.toUpperCase()), row: row + 1 }));
    document.querySelector(".entry")?.scrollIntoView({ block: "nearest" });
  }

  function swap() {
    const { row, gray, yellow } = desk.fault;
    desk.edit(boards.swap, row * LENGTH + gray, row * LENGTH + yellow);
  }

  function clear() {
    desk.edit(boards.blank);
    app.note(t("solver.cleared"));
  }

  function undo() {
    if (desk.undo()) app.say(t("solver.undone"));
  }

  function press(key) {
    if (key === "erase") desk.edit(boards.erase);
    else desk.edit(boards.type, key);
  }

  /** What a key does to the board, if anything; arrows and digits mean the tile that has the focus. */
  function act(event) {
    const { key, target } = event;
    const [onTile, onPage] = [target.dataset?.place, target === document.body];
    if (onTile && (key in ARROWS || key in DIGITS)) desk.edit(boards.go, Number(onTile));
    if (key in ARROWS) {
      const sideways = key === "ArrowLeft" || key === "ArrowRight"; // up and down scroll the page
      return (onTile || (onPage && sideways)) && desk.edit(boards.step, ARROWS[key]);
    }
    if (key in DIGITS) {
      const place = desk.board.at;
      const given = (onTile || onPage) && desk.edit(boards.give, DIGITS[key]);
      if (given) sayMark(place);
      return given;
    }
    const meant = meaning(event);
    if (meant !== "erase" && meant?.length !== 1) return false;
    press(meant);
    return true;
  }

  function key(event) {
    if (event.target.closest?.("input, textarea, select") || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    const done = control ? event.key === "z" && !event.shiftKey && (undo(), true) : act(event);
    if (!done) return;
    event.preventDefault();
    follow = true;
    app.paint();
  }

  const tools = (used) => html`<div class="solver-tools">
    ${tool(icons.paste(), t("solver.paste"), text.open)}
    ${tool(icons.copy(), t("solver.copy_text"), () => text.copy(asText(desk.board)), !used)}
    ${tool(icons.link(), t("solver.copy_link"), () => text.copy(location.href), !used)}
    ${tool(icons.undo(), t("solver.undo"), undo, !desk.canUndo())}
    ${tool(icons.bin(), t("solver.clear"), clear, !used)}
  </div>`;

  function view() {
    const { board, counted } = desk;
    const used = board.rows.some((row) => !boards.isBlank(row));
    const { faulty, states, line } = troubles(desk);
    return html`<div class="page solver">
      <header class="solver-head">
        <h1>${t("solver.title")}</h1>
        <a class="tool" href="/solver/help">${icons.help()}<span>${t("solver.help")}</span></a>
        ${used ? nothing : html`<p class="lead">${t("solver.lead")}</p>`}
      </header>
      <section class="solver-board" aria-label=${t("solver.board")}>
        ${entry({ board, faulty, states, touch, remove })}
        <p class="line" role="status" id=${line ? "solver-fault" : nothing}>${line ?? (used ? nothing : t("solver.hint"))}</p>
        ${keyboard({ shown: shown(counted.map(asGuess)), press, enter: false })} ${tools(used)} ${text.view()}
      </section>
      <section class="found">
        ${found(desk, { put, swap })} ${isOver(counted) && !desk.fault ? review.view(counted) : nothing}
      </section>
    </div>`;
  }

  return {
    title: () => t("solver.title"),
    key,
    view,
    painted() {
      if (follow) document.querySelector('.entry [tabindex="0"]')?.focus();
      follow = false;
    },
    close() {
      text.close();
      desk.close();
    },
  };
}

const tool = (icon, label, act, off = false) => html`<button
  type="button"
  class="button quiet small"
  title=${label}
  ?disabled=${off}
  @click=${act}
>
  ${icon}<span>${label}</span>
</button>`;

const asGuess = ({ guess, marks }) => ({ word: guess, marks });

/** Is the game over: the word found, or all rows used? */
const isOver = (rows) => rows.length === GUESSES || rows.at(-1)?.marks === SOLVED;

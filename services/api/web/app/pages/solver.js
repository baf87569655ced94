/** The solver: a board to fill in, and what can still be the answer. */

import { html, nothing } from "/vendor/lit-html.js";
import { GUESSES, LENGTH } from "../draft.js";
import { t } from "../i18n.js";
import { meaning, shown } from "../keys.js";
import { entry } from "../parts/entry.js";
import { found } from "../parts/found.js";
import * as icons from "../parts/icons.js";
import { keyboard } from "../parts/keyboard.js";
import { boardReview } from "../parts/looking_back.js";
import { pastePanel } from "../parts/paste.js";
import * as boards from "../solver/board.js";
import { desk as sitDown } from "../solver/desk.js";
import { troubles } from "../solver/troubles.js";
import { asText, fromText } from "../solver/text.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const DIGITS = { 1: "I", 2: "R", 3: "C" };

/** Is the game over: the word found, or all rows used? */
const isOver = (rows) => rows.length === GUESSES || rows.at(-1)?.marks === "CCCCC";

export function solver(app) {
  const desk = sitDown({ place: location, changed: app.paint, answered });
  const review = boardReview(app);
  let panel = null; // the text panel: null while it is closed, else the text that it shows
  let follow = false; // the focus goes to the current tile with the next painting
  document.addEventListener("paste", pasted);

  function answered({ status, count, candidates }) {
    if (status === "ok") app.say(t("solver.said", { count, word: candidates[0]?.word.toUpperCase() ?? "" }));
    else app.say(t(status === "no_word" ? "solver.no_word_title" : "solver.contradiction_title"));
  }

  function touch(place) {
    desk.edit(boards.turn, place);
    sayMark(place);
  }

  function sayMark(place) {
    const mark = boards.markAt(desk.board, place);
    const [row, tile] = [boards.rowOf(place) + 1, boards.tileOf(place) + 1];
    const letter = desk.board.rows[row - 1].letters[tile - 1].toUpperCase();
    if (mark) app.say(t(letter ? "solver.tile" : "solver.tile_unlettered", { row, tile, letter, mark: t(`solver.mark.${mark}`) }));
  }

  function remove(row) {
    desk.edit(boards.remove, row);
    follow = true;
    app.note(t("solver.row_deleted", { row: row + 1 }));
  }

  function put(word, event) {
    if (!desk.edit(boards.put, word)) return app.note(t("solver.full"));
    const row = desk.board.rows.findLastIndex(({ letters }) => letters.join("") === word);
    if (event.detail === 0) {
      desk.edit(boards.go, row * LENGTH); // by keyboard: go on with its colours
      follow = true;
    }
    app.note(t("solver.put", { word: word.toUpperCase(), row: row + 1 }));
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

  /** A text pasted anywhere on the page but in a field. */
  function pasted(event) {
    if (event.target.closest?.("input, textarea, select")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text) use(text);
  }

  function use(text) {
    const { rows, colours, words, cut } = fromText(text);
    if (!rows.length) return app.note(t("solver.paste_nothing"));
    panel = null;
    desk.edit(() => boards.holding(rows));
    const more = colours ? "solver.pasted_colours" : words ? "solver.pasted_words" : null;
    const said = [t("solver.pasted", { count: rows.length }), more && t(more), cut && t("solver.paste_cut")];
    app.note(said.filter(Boolean).join(" "));
  }

  function open(text) {
    panel = text;
    app.paint();
    setTimeout(() => {
      const field = document.getElementById("paste-text");
      field?.focus();
      if (text) field?.select();
    });
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      app.note(t("share.copied"));
    } catch {
      open(text);
    }
  }

  function press(key) {
    if (key === "erase") desk.edit(boards.erase);
    else desk.edit(boards.type, key);
  }

  function key(event) {
    const { target } = event;
    if (target.closest?.("input, textarea, select")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") return event.preventDefault(), undo();
    const inBoard = Boolean(target.closest?.(".entry"));
    const away = !inBoard && target !== document.body;
    const arrow = ARROWS[event.key];
    const meant = meaning(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = target.dataset?.place;
    if (focused && (arrow || DIGITS[event.key])) desk.edit(boards.go, Number(focused));
    if (arrow && (inBoard || (!away && meant))) desk.edit(boards.step, arrow);
    else if (DIGITS[event.key] && !away) {
      const place = desk.board.at;
      desk.edit(boards.give, DIGITS[event.key]);
      sayMark(place);
    } else if (meant === "erase" || meant?.length === 1) press(meant);
    else return;
    event.preventDefault();
    follow = true;
  }

  const tool = (icon, label, act, off = false) => html`<button type="button" class="button quiet small" ?disabled=${off}
    title=${t(label)} @click=${act}>${icon}<span>${t(label)}</span></button>`;

  const tools = (used) => html`<div class="solver-tools">
    ${tool(icons.paste(), "solver.paste", () => open(""))}
    ${tool(icons.copy(), "solver.copy_text", () => copy(asText(desk.board)), !used)}
    ${tool(icons.link(), "solver.copy_link", () => copy(location.href), !used)}
    ${tool(icons.undo(), "solver.undo", undo, !desk.canUndo())}
    ${tool(icons.bin(), "solver.clear", clear, !used)}
  </div>`;

  return {
    title: () => t("solver.title"),
    key,
    view() {
      const { board } = desk;
      const used = board.rows.some((row) => !boards.isBlank(row));
      const { faulty, states, line } = troubles(desk);
      const guesses = desk.counted.map(({ guess, marks }) => ({ word: guess, marks }));
      return html`<div class="page solver">
        <header class="solver-head">
          <h1>${t("solver.title")}</h1>
          <a class="tool" href="/solver/help">${icons.help()}<span>${t("solver.help")}</span></a>
          ${used ? nothing : html`<p class="lead">${t("solver.lead")}</p>`}
        </header>
        <section class="solver-board" aria-label=${t("solver.board")}>
          ${entry({ board, faulty, states, touch, remove })}
          <p class="line" role="status">${line ? html`<span id="solver-fault">${line}</span>` : used ? nothing : t("solver.hint")}</p>
          ${keyboard({ shown: shown(guesses), press, enter: false })} ${tools(used)}
          ${panel === null ? nothing : pastePanel({ shown: panel, use, close })}
        </section>
        <section class="found">
          ${found(desk, { put, swap })} ${isOver(desk.counted) ? review.view(desk.counted) : nothing}
        </section>
      </div>`;
    },
    painted() {
      if (!follow) return;
      follow = false;
      document.querySelector('.entry [tabindex="0"]')?.focus();
    },
    close() {
      document.removeEventListener("paste", pasted);
      desk.close();
    },
  };

  function close() {
    panel = null;
    app.paint();
  }
}

/** The solver's board to be filled in: a grid of tiles, each row with its number and a way to delete it. */

import { html, nothing } from "/vendor/lit-html.js";
import { LENGTH } from "../draft.js";
import { t } from "../i18n.js";
import { isBlank, seen } from "../solver/board.js";
import { english } from "./english.js";
import * as icons from "./icons.js";

const STATES = {
  left_out: ["solver.row_left_out", "solver.left_out_tag"],
  conflict: ["solver.row_conflict", "solver.conflict_tag"],
};

/**
 * `faulty` are the places of tiles that something is wrong with; `states` says of a row's number that it is "left_out"
 * or in "conflict"; `touch(place)` and `remove(row)` are told of a click.
 */
export function entry({ board, faulty, states, touch, remove }) {
  const last = seen(board) * LENGTH - 1;
  const here = Math.min(board.at, last);
  return html`<div class="entry board" role="grid" aria-label=${t("solver.board")}>
    ${board.rows.slice(0, seen(board)).map(row)}
  </div>`;

  function row({ letters, marks, given }, number) {
    const state = states.get(number);
    const [label, tag] = STATES[state] ?? ["solver.row", null];
    const used = !isBlank({ letters, marks, given });
    return html`<div class="entry-row ${state ?? ""}" role="row" aria-label=${t(label, { row: number + 1 })}>
      <span class="entry-number" aria-hidden="true">${number + 1}</span>
      ${letters.map((letter, tile) => cell(letter, marks[tile], number, tile))}
      <span role="gridcell">
        ${
          used
            ? html`<button type="button" class="tool" aria-label=${t("solver.delete_row", { row: number + 1 })}
                @click=${() => remove(number)}>${icons.close()}</button>`
            : nothing
        }
      </span>
      ${tag ? html`<span class="entry-tag" aria-hidden="true">${t(tag)}</span>` : nothing}
    </div>`;
  }

  function cell(letter, mark, number, tile) {
    const place = number * LENGTH + tile;
    const wrong = faulty.includes(place);
    return html`<span role="gridcell"><button
      type="button"
      class="tile ${mark} ${letter ? "set" : ""} ${place === board.at ? "here" : ""} ${wrong ? "wrong" : ""}"
      data-place=${place}
      tabindex=${place === here ? "0" : "-1"}
      aria-label=${told(letter, mark, number, tile)}
      aria-invalid=${wrong ? "true" : nothing}
      aria-describedby=${wrong ? "solver-fault" : nothing}
      @click=${() => touch(place)}
    >${english(letter)}</button></span>`;
  }
}

function told(letter, mark, number, tile) {
  const values = { row: number + 1, tile: tile + 1, letter: letter.toUpperCase() };
  if (!mark) return t("solver.tile_empty", values);
  return t(letter ? "solver.tile" : "solver.tile_unlettered", { ...values, mark: t(`solver.mark.${mark}`) });
}

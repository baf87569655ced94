/** A game at the operators' desk, as one of its players saw it. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { tiles } from "./board.js";
import { called, field, problem, told, why } from "./desk_pieces.js";
import { submitting } from "./forms.js";
import { unseen } from "./english.js";
import { markRows } from "./rows.js";

/** The section; `fill(game, player)` puts both into its form. */
export function lookups(app) {
  const act = action(app);
  let asked = { game: "", player: "", version: "" };
  let found = null;
  return { view, fill };

  function fill(game, player) {
    [asked, found] = [{ game, player, version: "" }, null];
    app.paint();
    setTimeout(() => document.getElementById("desk-game")?.focus());
  }

  async function look(form) {
    asked = { game: told(form, "game"), player: told(form, "player"), version: told(form, "version") };
    const game = asked.game.replace(/\/+$/, "").split("/").at(-1); // the page's address will do
    const version = asked.version ? { version: Number(asked.version) || 0 } : {};
    found = await act.run("/desk/lookups", { game, player_id: asked.player, why: told(form, "why"), ...version });
    app.paint();
  }

  function view() {
    return html`<section class="card">
      <h2 id="desk-game" tabindex="-1">A game as a player saw it</h2>
      <form @submit=${submitting(look)}>
        ${field("The game's id or address", "game", { value: asked.game, longest: 300 })}
        ${field("The player's id", "player", { value: asked.player })}
        ${field("After which record (empty: the newest)", "version", {
          value: asked.version,
          number: true,
          optional: true,
          longest: 6,
        })}
        ${why()} ${problem(act)}
        <div class="actions"><button type="submit" class="button small" ?disabled=${act.busy}>Look</button></div>
      </form>
      <div aria-live="polite">${found ? seen(found) : nothing}</div>
    </section>`;
  }
}

const seen = ({ kind, player, version, versions, view }) => html`<div class="desk-game">
  <h3>${kind}, record ${version} of ${versions}, as ${called(player)} saw it: ${view.state}</h3>
  ${rows(view)}
  <details><summary>Everything in this view</summary>
    <pre tabindex="0">${JSON.stringify(view, null, 2)}</pre></details>
</div>`;

/** The own guesses in letters, the opponent's in marks alone, as the view has them. */
function rows(view) {
  const guesses = view.you?.guesses ?? view.guesses ?? [];
  return html`<div class="sides">
    <div class="side"><h4>Own guesses</h4>
      ${guesses.length ? nothing : html`<p class="hint">None yet.</p>`}
      <ol class="board">${guesses.map((guess) => html`<li class="row">${unseen(guess)}${tiles(guess)}</li>`)}</ol></div>
    ${
      view.opponent
        ? html`<div class="side"><h4>The opponent's</h4>
            ${markRows(view.opponent.rows, { label: "The opponent's rows" })}</div>`
        : nothing
    }
  </div>`;
}

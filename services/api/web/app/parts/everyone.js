/** How a day went for everyone: the distribution, how the own score compares, and the leaderboard. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get } from "../api.js";
import { took } from "../elapsed.js";
import { number, t } from "../i18n.js";
import { nameOf } from "../words.js";
import { bars } from "./bars.js";
import { fetched, shown } from "./fetched.js";
import { failed } from "./forms.js";

const HEADS = ["daily.place_head", "daily.player_head", "daily.guesses_head", "daily.time_head"];

/** The results of a day; `again()` asks anew, `spread()` and `board()` show them. */
export function everyone(app, day) {
  const path = `/daily/${day}/results`;
  const found = fetched(app, () => get(path));
  const more = action(app);

  async function follow() {
    const { board, next } = found.value;
    const page = await more.attempt(() => get(`${path}?cursor=${encodeURIComponent(next)}`));
    if (page) found.value = { ...found.value, board: [...board, ...page.board], next: page.next };
    app.paint();
  }

  const rest = () => html`${failed(more)}
    <div class="actions">
      <button type="button" class="button quiet small" ?disabled=${more.busy} @click=${follow}>
        ${t("history.more")}
      </button>
    </div>`;

  return {
    again: found.again,
    spread: () => shown(found, (value) => distribution(app.me.player, value)),
    board: () =>
      found.value ? leaderboard(app.me.player, found.value, found.value.next ? rest() : nothing) : nothing,
  };
}

const keyOf = ({ state, guesses }) => (state === "solved" ? String(guesses) : state);

const distribution = (player, { you, distribution: counts, finished, percentile }) => html`<section class="card">
  <h2>${t("daily.everyone")}</h2>
  ${percentile === null || finished < 2 ? nothing : html`<p>${compared(percentile)}</p>`}
  ${bars(counts, you && keyOf(you), t("daily.everyone"))}
  <p class="hint">${t("daily.finished", { count: finished })}</p>
  ${isFolded(player, you) ? html`<p class="hint">${t("daily.not_counted")}</p>` : nothing}
</section>`;

/** Does another guest of this network address stand in the distribution instead? */
const isFolded = (player, you) => player?.guest && you && you.state !== "closed" && !you.counted;

const compared = (percentile) => t("daily.percentile", { percent: number(percentile) });

const leaderboard = (player, { you, board }, rest) => html`<section class="card">
  <h2>${t("daily.board")}</h2>
  ${you?.place ? html`<p>${t("daily.place", { place: you.place })}</p>` : nothing}
  ${board.length ? places(player, board) : html`<p class="hint">${t("daily.board_none")}</p>`} ${rest}
  ${
    player?.guest && you?.state === "solved"
      ? html`<p class="hint">${t("daily.board_guest")} <a href="/sign-in">${t("nav.sign_in")}</a></p>`
      : nothing
  }
</section>`;

const places = (player, board) => html`<table class="places-table">
  <thead><tr>
    ${HEADS.map((key) => html`<th scope="col">${t(key)}</th>`)}
  </tr></thead>
  <tbody>${board.map((one) => line(one, one.player.id === player?.id))}</tbody>
</table>`;

const line = ({ place, player, guesses, elapsed_ms }, own) => html`<tr class=${own ? "own" : nothing}>
  <td class="place">${number(place)}</td>
  <th scope="row">${nameOf(player)}${own ? html` <small>${t("chat.you")}</small>` : nothing}</th>
  <td>${number(guesses)}</td>
  <td>${took(elapsed_ms)}</td>
</tr>`;

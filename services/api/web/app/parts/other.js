/** The other side of the table while the game is on: a name, rows of marks, and the word that was set for them. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { nameOf } from "../words.js";
import { plain } from "./board.js";
import { avatar, progress } from "./players.js";
import { markRows } from "./rows.js";

export function other({ opponent, you, state }, fresh) {
  const { player, rows } = opponent;
  if (!player) return nothing;
  const name = nameOf(player);
  return html`<section class="other" aria-label=${t("other.side", { name })}>
    <div class="other-who">
      ${avatar(player)}
      <div>
        <p class="other-name">${name}</p>
        <p class="other-progress">${status(opponent, state)}</p>
      </div>
    </div>
    ${you.secret ? ownWord(you.secret) : nothing}
    ${markRows(rows, { label: t("other.rows", { name }), fresh: fresh.other })}
  </section>`;
}

const ownWord = (secret) =>
  html`<p class="other-word"><span>${t("other.finds")}</span>${plain(secret, "tiny")}</p>`;

function status(opponent, state) {
  if (state === "waiting") return t(opponent.ready ? "other.ready" : "other.not_ready");
  return progress({ ...opponent, guesses: opponent.rows.length });
}

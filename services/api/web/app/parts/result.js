/** The end of a duel: who won, both words, both boards with their letters, and how to check it. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { ending, nameOf } from "../words.js";
import { plain, tiles } from "./board.js";
import { unseen } from "./english.js";
import * as icons from "./icons.js";
import { progress } from "./players.js";

const MOODS = { win: "glad", draw: "even", loss: "calm", none: "calm", not_counted: "calm" };

/** The result; `keep` tells a guest how to keep the game, `review` looks back on the guesses. */
export function result(view, fresh, keep, review) {
  const { you, opponent, result: end } = view;
  const name = nameOf(opponent.player);
  const guessed = you.guesses.length + end.opponent_guesses.length > 0;
  const justNow = fresh && you.solved && you.guesses.length > fresh.own;
  return html`<section class="result ${MOODS[end.outcome]}">
    <div class="verdict">
      ${end.outcome === "win" ? pickets(justNow) : nothing}
      <h2 tabindex="-1">${t(`outcome.${end.outcome}`)}</h2>
      <p>${ending(view)}</p>
    </div>
    <div class="sides">
      ${side(t("result.your_side"), t("result.you_found", { name }), end.secrets.opponent, you, you.guesses)}
      ${side(name, t("result.they_found"), end.secrets.you, opponent, end.opponent_guesses)}
    </div>
    <div class="actions">
      <a class="button" href=${again(view)}>${t("result.again")}</a>
      <a class="button quiet" href="/verify/${view.id}">${icons.shield()}${t("result.verify")}</a>
    </div>
    ${guessed ? review.view(view) : nothing} ${keep}
  </section>`;
}

/** A rematch goes through the list of rivals, where a guest is not. */
const again = ({ opponent }) => `/new?rival=${encodeURIComponent(opponent.player?.id ?? "")}`;

function side(title, label, secret, { solved, finished }, guesses) {
  return html`<section class="side">
    <h3>${title}</h3>
    <p class="side-word">
      <span>${label}</span>${secret ? plain(secret, "small") : html`<em>${t("result.no_word")}</em>`}
    </p>
    <p class="side-progress">${progress({ guesses: guesses.length, solved, finished })}</p>
    ${guesses.length ? html`<ol class="board small" aria-label=${title}>${guesses.map(row)}</ol>` : nothing}
  </section>`;
}

const row = (guess) => html`<li class="row">${unseen(guess)}${tiles(guess)}</li>`;

const pickets = (falling) => html`<span class="pickets ${falling ? "falling" : ""}" aria-hidden="true">
  <i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i>
</span>`;

/** Players in lists: a name, a record, how far a game is. */

import { html, nothing } from "/vendor/lit-html.js";
import { took } from "../elapsed.js";
import { t } from "../i18n.js";
import { nameOf } from "../words.js";

/** Wins, losses and draws in a sentence. */
export const record = ({ wins, losses, draws }) =>
  wins + losses + draws === 0 ? t("record.none") : t("record.line", { wins, losses, draws });

/** The first letter of a name on a wooden block. */
export const avatar = (player) =>
  html`<span class="avatar tile set" aria-hidden="true">${[...nameOf(player)][0].toUpperCase()}</span>`;

/** How far one side is: "3 of 6", "solved in 4", "not solved". */
export function progress({ guesses, solved, finished }) {
  if (solved) return t("progress.solved", { count: guesses });
  return finished ? t("progress.failed") : t("progress.used", { guesses });
}

/** How a Daily that is over went, with the time if it was solved. */
export function score({ state, guesses, elapsed_ms }) {
  if (state === "closed") return t("daily.not_done");
  if (state === "failed") return t("progress.failed");
  return t("progress.timed", { count: guesses, time: took(elapsed_ms) });
}

/** What a guest is told: games stay with this browser until somebody signs in. */
export const keepsakes = ({ player }) =>
  player?.guest
    ? html`<p class="hint keep">${t("lobby.guest", { name: player.name })} <a href="/sign-in">${t("nav.sign_in")}</a></p>`
    : nothing;

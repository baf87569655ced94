/** Everything that stands below a Daily that is over: everyone's results, the own record, the rivals', a look back. */

import { html, nothing } from "/vendor/lit-html.js";
import { everyone } from "./everyone.js";
import { ownRecord } from "./own_record.js";
import { gameReview } from "./looking_back.js";
import { keepsakes } from "./players.js";
import { rivalsDay } from "./rivals_day.js";

/** The results beside a view that is over; `leave()` ends what is still being asked. */
export function dailyResults(app, view) {
  const { player } = app.me;
  const own = keyOf(view);
  const all = everyone(app, view.day);
  const review = view.guesses.length ? gameReview(app, view.id) : null;
  const record = player && ownRecord(app);
  const rivals = player && !player.guest ? rivalsDay(app, view.day) : null;
  return {
    leave: () => review?.leave(),
    again: () => [all, record, rivals].forEach((part) => part?.again()),
    view: () => html`<div class="daily-results">
        ${all.spread()} ${record ? record.view(own) : nothing} ${all.board()} ${rivals ? rivals.view() : nothing}
      </div>
      ${review ? review.view({}) : nothing} ${own === "failed" ? keepsakes(app.me) : nothing}`,
  };
}

/** Which bar is one's own; null if midnight came first. */
function keyOf({ state, guesses }) {
  if (state === "closed") return null;
  return state === "solved" ? String(guesses.length) : "failed";
}

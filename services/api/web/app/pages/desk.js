/** The operators' desk: reports, players, and games as players saw them. It is in English, whoever sits at it. */

import { html } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { lookups } from "../parts/desk_lookup.js";
import { people } from "../parts/desk_player.js";
import { reports } from "../parts/desk_reports.js";
import { fetched, trouble } from "../parts/fetched.js";

/** `lost` is the page for where there is nothing: the desk of a service without operators. */
export function desk(app, { query }, lost) {
  const open = fetched(app, () => get("/desk/reports?state=open"));
  const player = people(app, query.get("player"));
  const lookup = lookups(app);
  const show = (id) => player.show(id);
  const lookAt = (game, id) => lookup.fill(game, id);
  const reported = reports(app, open, { show, lookAt });

  const parts = () => html`<div class="page desk" lang="en" dir="ltr">
    <h1>Desk</h1>
    <p class="lead">Whatever you do here is kept for ever: that it was you, what you did, about whom, and why.</p>
    ${reported.view()} ${player.view()} ${lookup.view()}
  </div>`;

  const refused = () =>
    open.problem.status === 404
      ? lost().view()
      : html`<div class="page narrow"><h1 lang="en">Desk</h1>${trouble(open.problem, open.again)}</div>`;

  return {
    title: () => (open.problem?.status === 404 ? lost().title() : "Desk"),
    view: () => (open.problem && open.value === null ? refused() : parts()),
  };
}

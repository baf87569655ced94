/** Of what to be told while away: a table of occasions and ways, and whether this browser shows notices. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, Problem, put } from "../api.js";
import { t } from "../i18n.js";
import { canPush, ownId, turnOff, turnOn } from "../push.js";
import { fetched, shown } from "./fetched.js";
import { failed } from "./forms.js";

const OCCASIONS = {
  invite_taken: "notices.invite_taken",
  rival_started: "notices.rival_started",
  opponent_finished: "notices.opponent_finished",
  last_hour: "notices.last_hour",
};
const WAYS = { mail: "notices.mail", push: "notices.push" };

/** The section of the account page; `view()` paints it. */
export function notices(app) {
  let own = null; // the id of this browser's subscription
  let denied = false;
  const found = fetched(app, async () => {
    own = await ownId().catch(() => null);
    return get("/me/notices");
  });
  const act = action(app);

  async function choose(way, occasion, wanted) {
    const { mail, push } = found.value;
    const chosen = { mail, push };
    chosen[way] = wanted ? [...chosen[way], occasion] : chosen[way].filter((one) => one !== occasion);
    const answer = await act.attempt(() => put("/me/notices", chosen));
    if (answer) found.value = answer;
    app.paint();
  }

  async function here(wanted) {
    await act.attempt(async () => {
      if (wanted) denied = !(await turnOn(found.value.key).catch(told));
      else await turnOff(own);
      return true;
    });
    await found.again();
  }

  const box = (all, way, occasion) => html`<td><label>
    <input type="checkbox" .checked=${all[way].includes(occasion)} ?disabled=${act.busy || !isOpen(all, way)}
      aria-label=${t("notices.choose", { what: t(OCCASIONS[occasion]), way: t(WAYS[way]) })}
      @change=${(event) => choose(way, occasion, event.target.checked)} /></label></td>`;

  const line = (all, occasion) => html`<tr>
    <th scope="row">${t(OCCASIONS[occasion])}</th>
    ${box(all, "mail", occasion)} ${box(all, "push", occasion)}
  </tr>`;

  const table = (all) => html`<table class="notices">
    <thead><tr>
      <th scope="col">${t("notices.what")}</th>
      <th scope="col">${t("notices.mail")}</th><th scope="col">${t("notices.push")}</th>
    </tr></thead>
    <tbody>${Object.keys(OCCASIONS).map((occasion) => line(all, occasion))}</tbody>
  </table>`;

  const button = (wanted, text) => html`<div class="actions">
    <button type="button" class="button quiet" ?disabled=${act.busy} @click=${() => here(wanted)}>${text}</button>
  </div>`;

  function browser(all) {
    const on = all.browsers.some(({ id }) => id === own);
    const others = all.browsers.length - (on ? 1 : 0);
    const more = others ? html`<p class="hint">${t("notices.others", { count: others })}</p>` : nothing;
    if (on) return html`<p>${t("notices.here_on")}</p>${more}${button(false, t("notices.turn_off"))}`;
    if (!canPush() || !all.key) return html`<p class="hint">${t("notices.impossible")}</p>${more}`;
    if (denied || Notification.permission === "denied") return html`<p class="hint">${t("notices.denied")}</p>${more}`;
    return html`<p>${t("notices.here_off")}</p>${more}${button(true, t("notices.turn_on"))}`;
  }

  const view = () => html`<section class="card">
    <h2>${t("notices.title")}</h2>
    <p>${t("notices.lead")}</p>
    ${shown(
      found,
      (all) => html`${table(all)}
        ${all.address ? nothing : html`<p class="hint">${t("notices.no_address")}</p>`} ${browser(all)}`,
    )}
    ${failed(act)}
  </section>`;
  return { view };
}

/** A way is open if something can come by it; what is chosen already can always be taken back. */
const isOpen = (all, way) => (way === "mail" ? all.address : Boolean(all.key)) || all[way].length > 0;

/** A browser that cannot reach its push service says so in an error of its own. */
function told(error) {
  if (error.code && error instanceof Problem) throw error;
  throw new Problem(0, { code: "push_unusable" });
}

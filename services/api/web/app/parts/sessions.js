/** Where somebody is signed in, and signing out there. */

import { html, nothing } from "/vendor/lit-html.js";
import { action } from "../action.js";
import { get, remove } from "../api.js";
import { day, t } from "../i18n.js";
import { fetched, shown } from "./fetched.js";
import { failed } from "./forms.js";

/** The section of the account page; `view()` paints it. */
export function sessions(app) {
  const found = fetched(app, () => get("/me/sessions").then((answer) => answer.sessions));
  const act = action(app);

  async function end(path) {
    await act.attempt(() => remove(path).then(() => true));
    await found.again();
  }

  const line = (session) => html`<li>
    <span><strong>${device(session)}</strong>
      <small>${t("sessions.days", { first: day(session.first_seen), last: day(session.last_seen) })}</small></span>
    ${
      session.current
        ? html`<span class="here">${t("sessions.here")}</span>`
        : html`<button type="button" class="button quiet small" ?disabled=${act.busy}
            aria-label=${t("sessions.end_this", { device: device(session) })}
            @click=${() => end(`/me/sessions/${session.id}`)}>${t("sessions.end")}</button>`
    }
  </li>`;

  const others = html`<div class="actions">
    <button type="button" class="button quiet" @click=${() => end("/me/sessions")}>${t("sessions.end_others")}</button>
  </div>`;

  const view = () => html`<section class="card">
    <h2>${t("sessions.title")}</h2>
    ${shown(
      found,
      (all) => html`<ul class="own-list">${all.map(line)}</ul>
        ${all.some(({ current }) => !current) ? others : nothing}`,
    )}
    ${failed(act)}
  </section>`;
  return { view };
}

function device({ browser, system }) {
  if (browser && system) return t("sessions.device", { browser, system });
  return browser ?? system ?? t("sessions.program");
}

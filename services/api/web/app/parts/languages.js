/** The picker of languages, each under its own name. It lies unseen over its icon and opens as the system's own list. */

import { html } from "/vendor/lit-html.js";
import { live } from "/vendor/directives/live.js";
import { t } from "../i18n.js";
import { LANGUAGES, choose, current } from "../languages.js";
import { because } from "../words.js";
import * as icons from "./icons.js";

export const languages = (app) => html`<label class="tool language">
  ${icons.globe()}<span aria-hidden="true">${current().toUpperCase()}</span>
  <select aria-label=${t("lang.label")} .value=${live(current())} @change=${({ target }) => pick(app, target.value)}>
    ${Object.entries(LANGUAGES).map(
      ([code, name]) =>
        html`<option value=${code} lang=${code} ?selected=${code === current()}>${name}</option>`,
    )}
  </select>
</label>`;

async function pick(app, language) {
  try {
    await choose(language);
  } catch {
    app.note(because({ code: "offline" })); // there is no catalog to be had
  }
  app.paint();
}

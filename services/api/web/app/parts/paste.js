/** A text that holds a board: put in here, or shown to be copied by hand where there is no clipboard. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { submitting } from "./forms.js";
import * as icons from "./icons.js";

/** `shown` is the text to copy, or "" to paste one; `use(text)` takes a text, `close()` puts the panel away. */
export const pastePanel = ({ shown, use, close }) => html`<form
  class="card paste"
  @submit=${submitting((form) => use(form.elements.text.value))}
  @keydown=${(event) => event.key === "Escape" && close()}
>
  <header>
    <h2>${t(shown ? "solver.copy_text" : "solver.paste_title")}</h2>
    <button type="button" class="tool" aria-label=${t("solver.paste_close")} @click=${close}>${icons.close()}</button>
  </header>
  <p class="hint" id="paste-lead">
    ${shown ? t("solver.by_hand") : t("solver.paste_lead", { example: "CRANE CIIRI" })}
  </p>
  <label class="unseen" for="paste-text">${t("solver.paste_field")}</label>
  <textarea id="paste-text" name="text" class="text" rows="6" aria-describedby="paste-lead" .value=${shown}
    autocomplete="off" autocapitalize="off" spellcheck="false" ?readonly=${Boolean(shown)}></textarea>
  ${shown ? nothing : html`<button type="submit" class="button small">${t("solver.paste_use")}</button>`}
</form>`;

/** What the sections of the operators' desk share. */

import { html } from "/vendor/lit-html.js";
import { failed } from "./forms.js";

export const LONGEST_WHY = 200; // characters

/** What a player is called; an operator reads English. */
export const called = (player) => player.name ?? "A deleted player";

/** A field for one line of text. */
export const field = (label, name, more = {}) => html`<label class="field"><span>${label}</span>
  <input class="text" name=${name} autocomplete="off" autocapitalize="off" spellcheck=${more.prose ? "true" : "false"}
    maxlength=${more.longest ?? 100} inputmode=${more.number ? "numeric" : "text"} ?required=${!more.optional}
    .value=${more.value ?? ""} /></label>`;

/** The field for a reason. */
export const why = () =>
  field("Why, in one line; name nobody", "why", { longest: LONGEST_WHY, prose: true });

/** What went wrong, which is told in the reader's own language. */
export const problem = (act) => html`<div lang=${document.documentElement.lang}>${failed(act)}</div>`;

/** What a form's field holds, without blanks around it. */
export const told = (form, name) => form.elements[name].value.trim();

/** Boards as text: pasted anywhere on the page or into a panel, and copied; the panel also shows what no clipboard takes. */

import { html, nothing } from "/vendor/lit-html.js";
import { rich, t } from "../i18n.js";
import { holding } from "../solver/board.js";
import { fromText } from "../solver/text.js";
import { english } from "./english.js";
import { submitting } from "./forms.js";
import * as icons from "./icons.js";

/** The texts of a desk: `open()` asks for one, `copy(text)` gives one, `view()` paints the panel. */
export function texts(app, desk) {
  let shown = null; // the text in the panel, "" to paste one; null while it is closed
  document.addEventListener("paste", pasted);

  /** A text pasted anywhere but in a field. */
  function pasted(event) {
    if (event.target.closest?.("input, textarea, select")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text) use(text);
  }

  function use(text) {
    const { rows, colours, words, cut } = fromText(text);
    if (!rows.length) return app.note(t("solver.paste_nothing"));
    shown = null;
    desk.edit(() => holding(rows));
    const said = [t("solver.pasted", { count: rows.length })];
    if (colours) said.push(t("solver.pasted_colours"));
    if (words) said.push(t("solver.pasted_words"));
    if (cut) said.push(t("solver.paste_cut"));
    app.note(said.join(" "));
  }

  function open(text = "") {
    shown = text;
    app.paint();
    setTimeout(() => {
      const field = document.getElementById("paste-text");
      field?.focus();
      if (text) field?.select();
    });
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      app.note(t("share.copied"));
    } catch {
      open(text);
    }
  }

  function shut() {
    shown = null;
    app.paint();
  }

  return {
    open: () => open(),
    copy,
    view: () => (shown === null ? nothing : panel({ shown, use, shut })),
    close: () => document.removeEventListener("paste", pasted),
  };
}

const panel = ({ shown, use, shut }) => html`<form
  class="card paste"
  @submit=${submitting((form) => use(form.elements.text.value))}
  @keydown=${(event) => event.key === "Escape" && shut()}
>
  <header>
    <h2>${t(shown ? "solver.copy_text" : "solver.paste_title")}</h2>
    <button type="button" class="tool" aria-label=${t("solver.paste_close")} @click=${shut}>
      ${icons.close()}
    </button>
  </header>
  <p class="hint" id="paste-lead">
    ${shown ? t("solver.by_hand") : rich("solver.paste_lead", { example: english("CRANE CIIRI") })}
  </p>
  <label class="unseen" for="paste-text">${t("solver.paste_field")}</label>
  <textarea
    id="paste-text"
    name="text"
    class="text"
    rows="6"
    aria-describedby="paste-lead"
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    .value=${shown}
    ?readonly=${Boolean(shown)}
  ></textarea>
  ${shown ? nothing : html`<button type="submit" class="button small">${t("solver.paste_use")}</button>`}
</form>`;

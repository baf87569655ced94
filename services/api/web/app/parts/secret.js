/** The field for one's own secret word: one input over five tiles, checked against the public list as one types. */

import { html, nothing } from "/vendor/lit-html.js";
import { live } from "/vendor/directives/live.js";
import { LENGTH } from "../draft.js";
import { t } from "../i18n.js";
import { secrets, suggestion, verdict } from "../lexicon.js";
import * as icons from "./icons.js";

/** A field; `word()` is the word when it can be used (or null), `view(forWhom)` paints it. */
export function secretField(app) {
  const field = { text: "", list: null, word, view };
  secrets().then(
    (list) => {
      field.list = list;
      app.paint();
    },
    () => {}, // without the list the server alone checks the word
  );
  return field;

  function judged() {
    return verdict(field.text, field.list ?? [field.text.toLowerCase()]);
  }

  function word() {
    return judged() === "good" ? field.text.toLowerCase() : null;
  }

  function set(text) {
    field.text = text.trim().slice(0, LENGTH);
    app.paint();
  }

  function view() {
    const said = judged();
    const shows = said === "short" && field.text ? "secret.left" : `secret.${said}`;
    const letters = [...field.text].slice(0, LENGTH);
    return html`<div class="secret ${said}">
      <label for="secret">${t("secret.label")}</label>
      <div class="secret-tiles">
        <input
          id="secret"
          .value=${live(field.text)}
          @input=${(event) => set(event.target.value)}
          aria-describedby="secret-says"
          aria-invalid=${said === "letters" || said === "unlisted" ? "true" : nothing}
          lang="en"
          autocomplete="off"
          autocapitalize="characters"
          autocorrect="off"
          spellcheck="false"
          inputmode="text"
          enterkeyhint="done"
        />
        ${Array.from({ length: LENGTH }, (_, tile) => slot(letters, tile))}
      </div>
      <p id="secret-says" class="hint" aria-live="polite">
        ${said === "good" ? icons.tick() : nothing}${t(shows, { count: LENGTH - letters.length })}
      </p>
      ${
        field.list
          ? html`<button type="button" class="button quiet small" @click=${() => set(suggestion(field.list))}>
            ${icons.dice()}${t("secret.suggest")}
          </button>`
          : nothing
      }
    </div>`;
  }
}

const slot = (letters, tile) => html`<span
  aria-hidden="true"
  lang="en"
  class="tile ${letters[tile] ? "set" : ""} ${tile === Math.min(letters.length, LENGTH - 1) ? "here" : ""}"
  >${letters[tile] ?? ""}</span
>`;

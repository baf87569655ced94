/** Handing on a result: the share sheet where there is one, the clipboard, or text to copy by hand. */

import { html, nothing } from "/vendor/lit-html.js";
import { shownColours } from "../colours.js";
import { t } from "../i18n.js";
import { asSquares, asWords } from "../share_text.js";
import * as icons from "./icons.js";

/** `view(game)` shows the buttons, and the text itself where no clipboard takes it. */
export function resultShare(app) {
  let byHand = null;

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      byHand = null;
      app.note(t("share.copied"));
    } catch {
      byHand = text;
      app.paint();
      setTimeout(() => select(document.getElementById("share-text")));
    }
  }

  const sheet = (text) => navigator.share({ text }).catch(() => {}); // closed without sharing

  return {
    view(game) {
      const at = { colours: shownColours(), address: `${location.origin}/daily` };
      const [drawn, told] = [asSquares(game, at), asWords(game, at)];
      return html`<div class="share-result" role="group" aria-label=${t("daily.share")}>
        ${
          navigator.share
            ? html`<button type="button" class="button" @click=${() => sheet(drawn)}>
              ${icons.share()}${t("share.share")}
            </button>`
            : nothing
        }
        <button type="button" class="button ${navigator.share ? "quiet" : ""}" @click=${() => copy(drawn)}>
          ${icons.copy()}${t("daily.share_squares")}
        </button>
        <button type="button" class="button quiet" @click=${() => copy(told)}>
          ${icons.copy()}${t("daily.share_words")}
        </button>
        ${byHand === null ? nothing : field(byHand)}
      </div>`;
    },
  };
}

function select(field) {
  field?.focus();
  field?.select();
}

const field = (text) => html`<label class="field">
  <span>${t("share.by_hand")}</span>
  <textarea id="share-text" class="text" rows=${text.split("\n").length} readonly .value=${text}></textarea>
</label>`;

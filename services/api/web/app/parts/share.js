/** Handing a link to somebody: the share sheet where there is one, else copying. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import * as icons from "./icons.js";

/** A link to read, copy and share. */
export const shareLink = (app, url) => html`<div class="share">
  <label class="unseen" for="share-url">${t("share.label")}</label>
  <input id="share-url" class="text" readonly .value=${url} @focus=${(event) => event.target.select()} />
  <button type="button" class="button" @click=${() => copy(app, url)}>${icons.copy()}${t("share.copy")}</button>
  ${
    navigator.share
      ? html`<button type="button" class="button quiet" @click=${() => sheet(url)}>
        ${icons.share()}${t("share.share")}
      </button>`
      : nothing
  }
</div>`;

/** Put a text on the clipboard and say so; without a clipboard the field is selected, to be copied by hand. */
export async function copy(app, text) {
  try {
    await navigator.clipboard.writeText(text);
    app.note(t("share.copied"));
  } catch {
    document.getElementById("share-url")?.select();
    app.note(t("share.by_hand"));
  }
}

function sheet(url) {
  navigator.share({ title: t("share.title"), text: t("share.text"), url }).catch(() => {}); // closed without sharing
}

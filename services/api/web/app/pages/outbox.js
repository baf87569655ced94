/** Mail that an embedded service would have sent: it is read here instead. */

import { html } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { instant, t } from "../i18n.js";
import { fetched, shown } from "../parts/fetched.js";

export function outbox(app) {
  const found = fetched(app, () => get("/outbox"));
  return {
    title: () => t("outbox.title"),
    view: () => html`<div class="page">
      <h1>${t("outbox.title")}</h1>
      <p class="lead">${t("outbox.lead")}</p>
      <div class="actions">
        <button type="button" class="button quiet small" @click=${found.again}>${t("outbox.again")}</button>
      </div>
      ${shown(found, ({ mails }) => (mails.length ? mails.map(mail) : html`<p class="empty">${t("outbox.none")}</p>`))}
    </div>`,
  };
}

const mail = ({ to, subject, text, at }) => html`<article class="card mail">
  <h2>${subject}</h2>
  <p class="hint">${t("outbox.to", { to, when: instant(at) })}</p>
  <p class="mail-text">${linked(text)}</p>
</article>`;

/** The text with its addresses as links. */
const linked = (text) =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((piece, index) => (index % 2 ? html`<a href=${piece}>${piece}</a>` : piece));

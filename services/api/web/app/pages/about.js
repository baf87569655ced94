/** What Wordyard is made of, and whose words they are: the notices as they are shipped. */

import { html } from "/vendor/lit-html.js";
import { text } from "../api.js";
import { t } from "../i18n.js";
import { parts } from "../notice.js";
import { fetched, shown } from "../parts/fetched.js";

export function about(app) {
  const notice = fetched(app, () => text("/static/NOTICE.txt"));
  return {
    title: () => t("nav.about"),
    view: () => html`<div class="page prose">
      <h1>${t("nav.about")}</h1>
      <p class="lead">${t("about.lead")}</p>
      <section class="card">
        <h2>${t("about.notices")}</h2>
        <p>${t("about.notices_more")}</p>
        ${shown(notice, (all) => html`<div class="notice" lang="en">${parts(all).map(part)}</div>`)}
      </section>
    </div>`,
  };
}

function part({ kind, text, inset }) {
  if (kind === "heading") return html`<h3>${text}</h3>`;
  if (kind === "table") return html`<pre tabindex="0">${text}</pre>`;
  return html`<p class=${inset ? "inset" : ""}>${text}</p>`;
}

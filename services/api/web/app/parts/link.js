/** What is said while the live connection is gone. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";

/** A note over the table, by the state of its feed. */
export function banner({ link }) {
  if (link === "live" || link === "connecting") return nothing;
  const text = t(link === "ended" ? "link.ended" : "link.lost");
  return html`<p class="banner ${link}" role="status">${text}
    ${link === "ended" ? html`<a href="/sign-in">${t("nav.sign_in")}</a>` : nothing}</p>`;
}

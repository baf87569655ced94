/** The places that the bar has no room for, behind one button. */

import { html, nothing } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import * as icons from "./icons.js";

/** `entries` are the links; `here` says that one of them is the present page. */
export const more = (entries, here) => html`<details
  class="more"
  @keydown=${(event) => event.key === "Escape" && shut(event.currentTarget, true)}
  @focusout=${({ currentTarget, relatedTarget }) =>
    relatedTarget && !currentTarget.contains(relatedTarget) && shut(currentTarget)}
  @click=${({ currentTarget, target }) => target.closest("a") && shut(currentTarget)}
>
  <summary class=${here ? "here" : nothing}>${icons.more()}<span>${t("nav.more")}</span></summary>
  <div class="more-places">${entries}</div>
</details>`;

function shut(details, stay = false) {
  if (stay && details.open) details.querySelector("summary").focus();
  details.open = false;
}

document.addEventListener("pointerdown", ({ target }) => {
  const open = document.querySelector(".more[open]");
  if (open && !open.contains(target)) shut(open);
});

/** How many results there are of each number of guesses, as bars. */

import { html, nothing } from "/vendor/lit-html.js";
import { number, t } from "../i18n.js";

const LENGTH = 100;

/** `counts` is `{"1": n, …, "6": n, failed: n}`; the bar of `own` (a key of it, or null) stands out. */
export function bars(counts, own, label) {
  const most = Math.max(...Object.values(counts), 1);
  return html`<ol class="bars" aria-label=${label}>
    ${Object.entries(counts).map(([key, n]) => bar(key, n, (n / most) * LENGTH, key === own))}
  </ol>`;
}

const bar = (key, n, length, own) => html`<li class=${own ? "own" : nothing}>
  <span class="unseen">${told(key)}: ${number(n)}${own ? `, ${t("chat.you")}` : nothing}</span>
  <span class="bar-key" aria-hidden="true">${key === "failed" ? "X" : key}</span>
  <svg class="bar" viewBox="0 0 ${LENGTH} 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width=${Math.max(length, 1)} height="10" />
  </svg>
  <span class="bar-number" aria-hidden="true">${number(n)}</span>
</li>`;

const told = (key) => (key === "failed" ? t("progress.failed") : t("daily.guesses", { count: Number(key) }));

/** Something asked of the server for a page: being fetched, here, or failed with a way to try again. */

import { html } from "/vendor/lit-html.js";
import { t } from "../i18n.js";
import { because } from "../words.js";

/** Ask now; the page is painted again when the answer is there. `again()` asks once more. */
export function fetched(app, ask) {
  const thing = { value: null, problem: null, again };
  again();
  return thing;

  async function again() {
    Object.assign(thing, { problem: null });
    try {
      thing.value = await ask();
    } catch (problem) {
      if (!problem.code) throw problem;
      thing.problem = problem;
    }
    app.paint();
  }
}

/** The thing by `show(value)` when it is here. */
export function shown(thing, show) {
  if (thing.problem) return trouble(thing.problem, thing.again);
  return thing.value === null ? waiting() : show(thing.value);
}

const FIVE = [1, 2, 3, 4, 5].map(() => html`<span class="tile" aria-hidden="true"></span>`);

export const waiting = (text = t("loading")) => html`<p class="loading" role="status">
  <span class="unseen">${text}</span>${FIVE}
</p>`;

export const trouble = (problem, again) => html`<div class="trouble" role="alert">
  <p>${because(problem)}</p>
  ${problem.status === 401 ? html`<a class="button" href="/sign-in">${t("nav.sign_in")}</a>` : ""}
  ${problem.status === 404 ? html`<a class="button" href="/">${t("lost.home")}</a>` : ""}
  ${again && problem.status !== 404 ? html`<button type="button" class="button quiet" @click=${again}>${t("try_again")}</button>` : ""}
</div>`;

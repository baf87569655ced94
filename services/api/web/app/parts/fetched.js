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

const LASTING = [401, 403, 404, 410]; // the same question has the same answer

const FIVE = [1, 2, 3, 4, 5].map(() => html`<span class="tile" aria-hidden="true"></span>`);

export const waiting = (text = t("loading")) => html`<p class="loading" role="status">
  <span class="unseen">${text}</span>${FIVE}
</p>`;

/** What went wrong, and the way on: asking again where that can help, else to sign in or to the lobby. */
export const trouble = (problem, again) => html`<div class="trouble" role="alert">
  <p>${because(problem)}</p>
  <div class="actions">
    ${problem.status === 401 ? html`<a class="button" href="/sign-in">${t("nav.sign_in")}</a>` : ""}
    ${
      LASTING.includes(problem.status)
        ? html`<a class="button ${problem.status === 401 ? "quiet" : ""}" href="/">${t("lost.home")}</a>`
        : again && html`<button type="button" class="button quiet" @click=${again}>${t("try_again")}</button>`
    }
  </div>
</div>`;

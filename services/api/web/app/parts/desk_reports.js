/** Reports at the operators' desk: what was said, by whom, and what is decided. */

import { html, nothing } from "/vendor/lit-html.js";
import { repeat } from "/vendor/directives/repeat.js";
import { action } from "../action.js";
import { get } from "../api.js";
import { instant } from "../i18n.js";
import { called, problem, told, why } from "./desk_pieces.js";
import { fetched, shown } from "./fetched.js";
import { submitting } from "./forms.js";

/** What is decided at once: all reports of one message. The same id may stand in another game too. */
const keyOf = ({ game, message }) => `${game} ${message}`;

const STATES = { open: "Open", decided: "Decided" };

/** The section; `open` are the reports that nobody has decided, `show(player)` and `lookAt(game, player)` go on. */
export function reports(app, open, { show, lookAt }) {
  const decided = fetched(app, () => get("/desk/reports?state=decided"));
  const acts = new Map(); // one for each message that is being decided
  let state = "open";
  let older = []; // pages after the first
  let next; // where they go on; undefined before it was asked
  const more = action(app);

  const actOf = (key) => acts.get(key) ?? acts.set(key, action(app)).get(key);

  function choose(name) {
    [state, older, next] = [name, [], undefined];
    app.paint();
  }

  async function goOn(cursor) {
    const page = await more.attempt(() => get(`/desk/reports?state=${state}&cursor=${encodeURIComponent(cursor)}`));
    if (page) [older, next] = [[...older, ...page.reports], page.next];
    app.paint();
  }

  async function decide(report, form, upheld) {
    const act = actOf(keyOf(report));
    const path = `/desk/reports/${report.game}/${encodeURIComponent(report.message)}`;
    const done = await act.run(path, { upheld, why: told(form, "why") });
    if (done) app.note(upheld ? "Upheld." : "Dismissed.");
    if (!done && act.problem?.code !== "report_decided") return;
    older = older.filter((one) => keyOf(one) !== keyOf(report));
    await Promise.all([open.again(), decided.again()]);
  }

  const deciding = (report) => html`<form
    @submit=${submitting((form) => decide(report, form, form.elements.upheld.value === "yes"))}>
    ${why()}
    <fieldset class="desk-choice"><legend>Was it right to report it?</legend>
      <label class="option"><input type="radio" name="upheld" value="yes" required /><span>Yes, uphold</span></label>
      <label class="option"><input type="radio" name="upheld" value="no" /><span>No, dismiss</span></label>
    </fieldset>
    ${problem(actOf(keyOf(report)))}
    <div class="actions"><button type="submit" class="button small" ?disabled=${actOf(keyOf(report)).busy}>Decide</button></div>
  </form>`;

  const outcome = ({ decision }) => html`<p><strong>${decision.upheld ? "Upheld" : "Dismissed"}</strong>
    by ${called(decision.by)}, ${instant(decision.at)}: ${decision.why}</p>`;

  const line = (report) => html`<li class="desk-report">
    <h3>${called(report.about)}</h3>
    <p class="hint">reported by ${called(report.reporter)}, ${instant(report.reported_at)}</p>
    ${
      report.text === null
        ? html`<p class="hint">What was said is not kept any more.</p>`
        : html`<blockquote lang="">${report.text}</blockquote>`
    }
    <div class="actions">
      <button type="button" class="button quiet small" @click=${() => show(report.about.id)}>Show the player</button>
      <button type="button" class="button quiet small" @click=${() => lookAt(report.game, report.about.id)}>
        Look at the game</button>
    </div>
    ${report.decision ? outcome(report) : deciding(report)}
  </li>`;

  const all = (page) => {
    const reports = [...page.reports, ...older];
    const goesOn = next === undefined ? page.next : next;
    return html`${reports.length ? nothing : html`<p class="empty">None.</p>`}
      <ul class="desk-list">${repeat(reports, (one) => keyOf(one) + one.reporter.id, line)}</ul>
      ${problem(more)}
      ${
        goesOn
          ? html`<div class="actions"><button type="button" class="button quiet small" @click=${() => goOn(goesOn)}>
              Older ones</button></div>`
          : nothing
      }`;
  };

  const view = () => html`<section class="card">
    <h2>Reports</h2>
    <div class="actions" role="group" aria-label="Which reports">
      ${Object.entries(STATES).map(
        ([name, label]) => html`<button type="button" class="button small ${state === name ? "" : "quiet"}"
          aria-pressed=${state === name} @click=${() => choose(name)}>${label}</button>`,
      )}
    </div>
    ${shown(state === "open" ? open : decided, all)}
  </section>`;
  return { view };
}

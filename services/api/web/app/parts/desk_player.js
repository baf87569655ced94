/** A player at the operators' desk: how things stand, what was done, and what can be done. */

import { html, nothing } from "/vendor/lit-html.js";
import { live } from "/vendor/directives/live.js";
import { action } from "../action.js";
import { get } from "../api.js";
import { instant } from "../i18n.js";
import { called, field, problem, told, why } from "./desk_pieces.js";
import { submitting } from "./forms.js";

const SPANS = [
  ["3600", "for an hour"],
  ["86400", "for a day"],
  ["604800", "for a week"],
  ["2592000", "for thirty days"],
  ["", "for good"],
];
const ACTS = {
  mute: "Mute in all chats",
  unmute: "Let write again",
  rename: "Take the name",
  close: "Close the account",
  reopen: "Reopen the account",
};
const DONE = {
  muted: "Muted",
  unmuted: "Let write again",
  renamed: "Name taken",
  closed: "Closed",
  reopened: "Reopened",
  report_decided: "Report decided",
  looked_up: "Game looked at",
};

/** The section; `show(id)` shows a player in it, as it does at first if `first` names one. */
export function people(app, first) {
  const finding = action(app);
  const acting = action(app);
  let found = null;
  let chosen = "mute";
  if (first) show(first);
  return { view, show };

  async function show(id) {
    const standing = await finding.attempt(() => get(`/desk/players/${encodeURIComponent(id)}`));
    found = standing ?? found;
    if (standing) [chosen, acting.problem] = [possible(standing, app.me.player)[0], null];
    app.paint();
    if (standing) setTimeout(() => document.getElementById("desk-player")?.focus());
  }

  async function act(form) {
    const body = { why: told(form, "why") };
    if (chosen === "mute" && form.elements.span.value) body.seconds = Number(form.elements.span.value);
    const standing = await acting.run(`/desk/players/${found.player.id}/${chosen}`, body);
    if (!standing) return;
    found = standing;
    form.elements.why.value = "";
    chosen = possible(found, app.me.player)[0];
    app.note("Done.");
  }

  function choose(name) {
    chosen = name;
    app.paint();
  }

  function view() {
    return html`<section class="card">
      <h2 id="desk-player" tabindex="-1">Player</h2>
      <form @submit=${submitting((form) => show(told(form, "player")))}>
        ${field("The player's id", "player", { value: found?.player.id ?? first ?? "" })} ${problem(finding)}
        <div class="actions"><button type="submit" class="button quiet small">Show</button></div>
      </form>
      ${found ? html`${standing()} ${doing()} ${history()}` : nothing}
    </section>`;
  }

  function standing() {
    return html`<dl class="desk-facts" aria-live="polite">
      <div><dt>Name</dt><dd>${called(found.player)}</dd></div>
      <div><dt>Account</dt><dd>${accountOf(found)}</dd></div>
      <div><dt>Chats</dt><dd>${voiceOf(found)}</dd></div>
    </dl>`;
  }

  function doing() {
    return html`<form @submit=${submitting(act)}>
      <fieldset class="desk-choice"><legend>What to do</legend>
        ${possible(found, app.me.player).map(
          (name) => html`<label class="option"><input type="radio" name="what" value=${name} .checked=${live(chosen === name)}
            @change=${() => choose(name)} /><span>${ACTS[name]}</span></label>`,
        )}
      </fieldset>
      ${
        chosen === "mute"
          ? html`<label class="field"><span>For how long</span><select class="text" name="span">
              ${SPANS.map(([seconds, label]) => html`<option value=${seconds}>${label}</option>`)}
            </select></label>`
          : nothing
      }
      ${why()} ${problem(acting)}
      <div class="actions"><button type="submit" class="button small" ?disabled=${acting.busy}>${ACTS[chosen]}</button></div>
    </form>`;
  }

  function history() {
    if (!found.actions.length) return html`<p class="empty">Nothing was done about this player yet.</p>`;
    return html`<h3>What was done</h3>
      <ul class="own-list">${found.actions.map(
        (one) => html`<li><span><strong>${DONE[one.what]}${details(one)}</strong>
          <small>${called(one.by)}, ${instant(one.at)}: ${one.why}</small></span></li>`,
      )}</ul>`;
  }
}

/** What can be done, as things stand; nobody closes their own account. */
const possible = ({ player, muted, closed }, self) => [
  muted ? "unmute" : "mute",
  ...(muted ? ["mute"] : []),
  "rename",
  ...(player.id === self?.id ? [] : [closed ? "reopen" : "close"]),
];

function accountOf({ guest, deleted, closed }) {
  if (deleted) return "deleted";
  return (closed ? "closed" : "open") + (guest ? ", a guest" : "");
}

function voiceOf({ muted, muted_until }) {
  if (!muted) return "may write";
  return muted_until ? `muted until ${instant(muted_until)}` : "muted for good";
}

function details({ what, until, upheld, version }) {
  if (what === "muted") return until ? ` until ${instant(until)}` : " for good";
  if (what === "report_decided") return upheld ? ": upheld" : ": dismissed";
  return what === "looked_up" ? ` at version ${version}` : "";
}

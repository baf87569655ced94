/** Checks an ended game in this browser: what the server says is used, and nothing that it concludes. */

import { html, nothing } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { checks } from "../audit.js";
import { rich, t } from "../i18n.js";
import { tiles } from "../parts/board.js";
import { english, unseen } from "../parts/english.js";
import { fetched, shown } from "../parts/fetched.js";
import * as icons from "../parts/icons.js";
import { nameOf } from "../words.js";

const GROUPS = [
  ["commitments", ["commitment", "no_secret"]],
  ["marks", ["marks"]],
  ["rules", ["count", "times", "result"]],
];

export function verify(app, { id }) {
  const able = Boolean(globalThis.crypto?.subtle);
  const found = able
    ? fetched(app, async () => inspected(await get(`/games/${encodeURIComponent(id)}/audit`)))
    : null;
  return {
    title: () => t("verify.title"),
    view: () => html`<div class="page">
      <h1>${t("verify.title")}</h1>
      ${able ? shown(found, report) : html`<p class="failed" role="alert">${t("verify.unable")}</p>`}
      <p><a href="/game/${id}">${t("verify.back")}</a></p>
    </div>`,
  };
}

async function inspected(audit) {
  const names = Object.fromEntries(audit.players.map((player) => [player.id, nameOf(player)]));
  return { names, done: await checks(audit) };
}

function report({ names, done }) {
  const wrong = done.filter(({ ok }) => !ok).length;
  return html`<p class="lead">${t("verify.lead")}</p>
    <p class="verdict-line ${wrong ? "wrong" : "right"}" role="status">
      ${wrong ? icons.close() : icons.shield()}
      ${wrong ? t("verify.wrong", { count: wrong }) : t("verify.right", { count: done.length })}
    </p>
    ${GROUPS.map(([group, kinds]) =>
      section(
        group,
        done.filter(({ kind }) => kinds.includes(kind)),
        names,
      ),
    )}`;
}

const section = (group, done, names) => html`<section class="card">
  <h2>${t(`verify.${group}`)}</h2>
  <p>${t(`verify.${group}_more`)}</p>
  <ul class="checks">${done.map((check) => item(check, names))}</ul>
</section>`;

const item = (check, names) => html`<li class=${check.ok ? "right" : "wrong"}>
  ${check.ok ? icons.tick() : icons.close()}<span class="unseen">${t(check.ok ? "verify.holds" : "verify.fails")}</span>
  <div>${sentence(check, names)}</div>
</li>`;

function sentence(check, names) {
  const name = names[check.player];
  switch (check.kind) {
    case "commitment":
      return html`<p>${rich("verify.commitment", { name, word: english(check.word.toUpperCase()) })}</p>
        <p class="digits"><span>${t("verify.salt")}</span> <code>${check.salt}</code></p>
        <p class="digits"><span>${t("verify.hash")}</span> <code>${check.commitment}</code></p>`;
    case "marks":
      return html`<p class="check-guess">${unseen(check)}
          <span>${t("verify.guess", { name, number: check.number })}</span>
          <span class="word small">${tiles(check)}</span></p>
        ${check.ok ? nothing : html`<p>${t("verify.should", { marks: check.right ?? "" })}</p>`}`;
    case "result":
      return html`<p>${t("verify.result", { name, outcome: t(`outcome.short.${check.outcome}`) })}</p>`;
    default:
      return html`<p>${t(`verify.${check.kind}`, { name, guesses: check.count })}</p>`;
  }
}

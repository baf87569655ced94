/** Checks an ended game in this browser: what the server says is used, and nothing that it concludes. */

import { html, nothing } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { checks } from "../audit.js";
import { rich, t } from "../i18n.js";
import { checked, digits, marked, verdictOf } from "../parts/checks.js";
import { english } from "../parts/english.js";
import { fetched, shown } from "../parts/fetched.js";
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
      ${found?.problem?.status === 404 ? nothing : html`<p><a href="/game/${id}">${t("verify.back")}</a></p>`}
    </div>`,
  };
}

async function inspected(audit) {
  const names = Object.fromEntries(audit.players.map((player) => [player.id, nameOf(player)]));
  return { names, done: await checks(audit) };
}

const report = ({ names, done }) => html`<p class="lead">${t("verify.lead")}</p>
  ${verdictOf(done)}
  ${GROUPS.map(([group, kinds]) =>
    checked(
      t(`verify.${group}`),
      t(`verify.${group}_more`),
      done.filter(({ kind }) => kinds.includes(kind)),
      (check) => sentence(check, names[check.player]),
    ),
  )}`;

function sentence(check, name) {
  switch (check.kind) {
    case "commitment":
      return html`<p>${rich("verify.commitment", { name, word: english(check.word.toUpperCase()) })}</p>
        ${digits(check)}`;
    case "marks":
      return marked(check, t("verify.guess", { name, number: check.number }));
    case "result":
      return html`<p>${t("verify.result", { name, outcome: t(`outcome.short.${check.outcome}`) })}</p>`;
    default:
      return html`<p>${t(`verify.${check.kind}`, { name, guesses: check.count })}</p>`;
  }
}

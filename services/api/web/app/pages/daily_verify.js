/** Checks the word of a day in this browser; while the day lasts, what it is held to. */

import { html } from "/vendor/lit-html.js";
import { get } from "../api.js";
import { day as written, instant, rich, t } from "../i18n.js";
import { checked, digits, fingerprint, marked, verdictOf } from "../parts/checks.js";
import { english } from "../parts/english.js";
import { fetched, shown } from "../parts/fetched.js";
import { proven } from "../proof.js";

const able = Boolean(globalThis.crypto?.subtle);

export function dailyVerify(app, { day }) {
  const path = `/daily/${encodeURIComponent(day)}`;
  const found = fetched(app, async () => {
    const proof = await get(`${path}/verify`);
    if (!proof.word || !able) return { proof, done: null };
    const own = app.me.player ? (await get(path)).guesses : [];
    return { proof, done: await proven(proof, own) };
  });
  return {
    title: () => t("verify.title"),
    view: () => html`<div class="page">
      <h1>${t("verify.title")}</h1>
      ${shown(found, report)}
      <p><a href=${found.problem?.status === 404 ? "/daily" : path}>${t("verify.daily_back")}</a></p>
    </div>`,
  };
}

function report({ proof, done }) {
  if (!proof.word) return waiting(proof);
  if (!done) return html`<p class="failed" role="alert">${t("verify.unable")}</p>`;
  const marks = done.filter(({ kind }) => kind === "marks");
  return html`<p class="lead">${t("verify.daily_lead", { day: written(proof.day) })}</p>
    ${verdictOf(done)}
    ${checked(
      t("verify.daily_word"),
      t("verify.daily_word_more"),
      done.filter(({ kind }) => kind !== "marks"),
      sentence,
    )}
    ${
      marks.length
        ? checked(t("verify.marks"), t("verify.marks_more"), marks, (check) =>
            marked(check, t("board.typing", { number: check.number })),
          )
        : ""
    }`;
}

const waiting = ({ day, commitment, announced_at }) => html`<section class="card">
  <h2>${t("verify.daily_secret", { day: written(day) })}</h2>
  <p>${t("verify.daily_secret_more", { when: instant(announced_at) })}</p>
  ${fingerprint(commitment)}
</section>`;

function sentence(check) {
  if (check.kind !== "commitment") return html`<p>${t(`verify.daily_${check.kind}`, { when: instant(check.at) })}</p>`;
  const { day, word } = check;
  return html`<p>${rich("verify.daily_commitment", { day: written(day), word: english(word.toUpperCase()) })}</p>
    ${digits(check)}`;
}

/** What the solver does, with tiles: repeated letters, the word list, the number and the order. */

import { html } from "/vendor/lit-html.js";
import { decimal, rich, richList, t } from "../i18n.js";
import { tiles } from "../parts/board.js";
import { english, unseen } from "../parts/english.js";
import { WORDS } from "../parts/found.js";

const COLOURS = [
  ["solver.help_green", { word: "paint", marks: "CIIII" }],
  ["solver.help_yellow", { word: "river", marks: "IIRII" }],
  ["solver.help_gray", { word: "cloud", marks: "IIIII" }],
];
const REPEATED = [
  ["solver.help_eerie", "crepe", { word: "eerie", marks: "RIRIC" }],
  ["solver.help_allot", "banal", { word: "allot", marks: "RRIII" }],
  ["solver.help_abbey", "hobby", { word: "abbey", marks: "IRCIC" }],
];
const IMPOSSIBLE = { word: "eerie", marks: "IRRIC" };
const RHYMES = ["batch", "catch", "hatch", "latch", "match", "natch", "patch", "ratch", "watch"];
const RHYMES_LEFT = 7.2;

export function solverHelp() {
  setTimeout(() => location.hash && document.getElementById(location.hash.slice(1))?.scrollIntoView());
  return { title: () => t("solver.help"), view };
}

const view = () => html`<div class="page prose solver">
  <h1>${t("solver.help")}</h1>
  <p class="lead">${t("solver.help_lead")}</p>
  ${card("colours", html`<ul class="examples">${COLOURS.map(([key, guess]) => example(guess, t(key)))}</ul>`)}
  ${card("repeated", html`<p>${t("solver.help_repeated_more")}</p>
    <ul class="examples">${REPEATED.map(repeated)}${example(IMPOSSIBLE, t("solver.help_never"), "never")}</ul>`)}
  ${card("list", html`<p>${t("solver.help_list_more", { words: WORDS })}</p>
    <p>${t("solver.help_list_unknown")}</p><p>${t("solver.help_list_equal")}</p>`)}
  ${card("number", html`<p>${t("solver.help_number_more")}</p><p>${t("solver.help_number_how")}</p>
    <p>${rhymes()}</p>`)}
  ${card("order", html`<p>${t("solver.help_order_more")}</p><p>${t("solver.help_order_ties")}</p>
    <p>${t("solver.help_hard")}</p><p>${t("solver.help_trap")}</p>`)}
  <section class="card"><h2>${t("review.title")}</h2>
    <p>${t("review.number_more")}</p><p>${t("review.skill_more")}</p><p>${t("review.luck_more")}</p></section>
  ${card("keyboard", html`<ul class="points">
    ${["letters", "arrows", "digits", "undo"].map((keys) => html`<li>${t(`solver.help_keys_${keys}`)}</li>`)}</ul>`)}
  ${card("offline", html`<p>${t("solver.help_offline_more")}</p>`)}
  <div class="actions"><a class="button" href="/solver">${t("solver.back")}</a></div>
</div>`;

const card = (name, content) => html`<section class="card" id=${name}>
  <h2>${t(`solver.help_${name}`)}</h2>
  ${content}
</section>`;

const example = (guess, text, kind = "") => html`<li class=${kind}>
  <span class="word small">${unseen(guess)}${tiles(guess)}</span>
  <p>${text}</p>
</li>`;

const repeated = ([key, answer, guess]) =>
  example(
    guess,
    html`${rich("solver.help_answer", { answer: english(answer.toUpperCase()) })}
    ${rich(key, { guess: english(guess.word.toUpperCase()) })}`,
  );

const rhymes = () =>
  rich("solver.help_number_example", { words: richList(RHYMES.map(english)), left: decimal(RHYMES_LEFT) });

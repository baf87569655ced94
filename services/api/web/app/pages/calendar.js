/** The days of the Daily, a month at a time, each with the own result. */

import { html, nothing } from "/vendor/lit-html.js";
import { get, serverNow } from "../api.js";
import { easternDay } from "../eastern.js";
import { day as written, firstOfWeek, month as named, t, weekday } from "../i18n.js";
import { isMonth, monthOf, neighbour, weeks } from "../month.js";
import { english } from "../parts/english.js";
import { fetched, shown } from "../parts/fetched.js";
import { progress } from "../parts/players.js";

const FIRST_DAY = "2026-01-01";
const MARKS = { failed: "X", closed: "–" };

export function calendar(app, { query }) {
  const today = easternDay(serverNow());
  const asked = query.get("month");
  const month = isMonth(asked) && asked >= monthOf(FIRST_DAY) && asked <= monthOf(today) ? asked : monthOf(today);
  const found = fetched(app, () => get(`/daily/calendar?month=${month}`));
  return {
    title: () => `${t("daily.calendar")}: ${named(month)}`,
    view: () => html`<div class="page narrow daily">
      <h1>${t("daily.calendar")}</h1>
      <nav class="months" aria-label=${t("daily.months")}>
        ${step(month, -1, month > monthOf(FIRST_DAY))}
        <h2>${named(month)}</h2>
        ${step(month, 1, month < monthOf(today))}
      </nav>
      ${shown(found, ({ days }) => html`${grid(month, today, new Map(days.map((one) => [one.day, one])))} ${advice(days, today)}`)}
      <p class="actions"><a class="button" href="/daily">${t("daily.today")}</a></p>
    </div>`,
  };
}

function step(month, by, there) {
  const [sign, other] = [by < 0 ? "‹" : "›", neighbour(month, by)];
  return there
    ? html`<a class="tool" href="/daily/calendar?month=${other}" aria-label=${named(other)}>${sign}</a>`
    : html`<span class="tool" aria-hidden="true"></span>`;
}

/** What there is to say about a month without own results. */
function advice(days, today) {
  const before = days.filter(({ day }) => day < today);
  if (days.some(({ result }) => result) || !before.length) return nothing;
  if (before.some(({ word }) => word)) return html`<p class="hint">${t("daily.calendar_none")}</p>`;
  return days.length > before.length ? nothing : html`<p class="hint">${t("daily.calendar_before")}</p>`;
}

/** `results` has what is known of each day; only days that had a word can be looked at. */
function grid(month, today, results) {
  const rows = weeks(month, firstOfWeek());
  return html`<table class="calendar">
    <thead><tr>${rows[1].map((day) => html`<th scope="col" abbr=${weekday(day, "long")}>${weekday(day, "short")}</th>`)}</tr></thead>
    <tbody>
      ${rows.map((week) => html`<tr>${week.map((day) => html`<td>${day && cell(day, today, results)}</td>`)}</tr>`)}
    </tbody>
  </table>`;
}

function cell(day, today, results) {
  const number = Number(day.slice(8));
  const { result = null, word = null } = results.get(day) ?? {};
  if (!word && day !== today) return html`<span class="calendar-day">${number}</span>`;
  const label = `${written(day)}: ${result ? told(result) : t("daily.not_played")}`;
  return html`<a class="calendar-day ${result ? `was-${result.state}` : ""}" href="/daily/${day}"
    aria-current=${day === today ? "date" : nothing}>
    <span class="unseen">${label}</span><span aria-hidden="true">${number}</span>
    ${result ? html`<span class="calendar-mark" aria-hidden="true">${markOf(result)}</span>` : nothing}
    ${word ? html`<span class="calendar-word">${english(word)}</span>` : nothing}
  </a>`;
}

const markOf = ({ state, guesses }) => (state === "solved" ? guesses : MARKS[state]);

function told({ state, guesses }) {
  if (state === "closed") return t("daily.not_done");
  return progress({ guesses, solved: state === "solved", finished: true });
}

/** The days of the Daily, a month at a time, each with the own result. */

import { html, nothing } from "/vendor/lit-html.js";
import { get, serverNow } from "../api.js";
import { easternDay } from "../eastern.js";
import { day as written, firstOfWeek, month as named, t, weekday } from "../i18n.js";
import { isMonth, monthOf, neighbour, weeks } from "../month.js";
import { fetched, shown } from "../parts/fetched.js";
import { progress } from "../parts/players.js";

const FIRST_DAY = "2026-01-01";
const MARKS = { failed: "X", closed: "–", open: "…" };

export function calendar(app, { query }) {
  const today = easternDay(serverNow());
  const asked = query.get("month");
  const month = isMonth(asked) && asked >= monthOf(FIRST_DAY) && asked <= monthOf(today) ? asked : monthOf(today);
  const found = fetched(app, () => (app.me.player ? get(`/daily/calendar?month=${month}`) : { days: [] }));
  return {
    title: () => `${t("daily.calendar")}: ${named(month)}`,
    view: () => html`<div class="page daily">
      <h1>${t("daily.calendar")}</h1>
      <nav class="months" aria-label=${t("daily.months")}>
        ${step(month, -1, month > monthOf(FIRST_DAY))}
        <h2>${named(month)}</h2>
        ${step(month, 1, month < monthOf(today))}
      </nav>
      ${shown(found, ({ days }) => grid(month, today, new Map(days.map((one) => [one.day, one]))))}
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

function grid(month, today, results) {
  const rows = weeks(month, firstOfWeek());
  return html`<table class="calendar">
    <thead><tr>${rows[1].map((day) => html`<th scope="col" abbr=${weekday(day, "long")}>${weekday(day, "short")}</th>`)}</tr></thead>
    <tbody>
      ${rows.map((week) => html`<tr>${week.map((day) => html`<td>${day && cell(day, today, results.get(day))}</td>`)}</tr>`)}
    </tbody>
  </table>`;
}

function cell(day, today, result) {
  const number = Number(day.slice(8));
  if (day < FIRST_DAY || day > today) return html`<span class="calendar-day">${number}</span>`;
  const state = result?.state ?? "";
  return html`<a
    class="calendar-day ${state && `was-${state}`}"
    href="/daily/${day}"
    aria-label=${`${written(day)}: ${told(result)}`}
    aria-current=${day === today ? "date" : nothing}
    >${number}<span class="calendar-mark" aria-hidden="true">${state === "solved" ? result.guesses : MARKS[state]}</span></a
  >`;
}

function told(result) {
  if (!result) return t("daily.not_played");
  const { state, guesses } = result;
  if (state === "closed") return t("daily.not_done");
  return progress({ guesses, solved: state === "solved", finished: state !== "open" });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { use, firstOfWeek, month, weekday } from "../../services/api/web/app/i18n.js";
import { isMonth, monthOf, neighbour, weeks } from "../../services/api/web/app/month.js";

const [MONDAY, SUNDAY] = [1, 7];

test("a month is written in weeks that begin with a chosen day", () => {
  const march = weeks("2026-03", MONDAY); // the 1st is a Sunday
  assert.deepEqual(march[0], [null, null, null, null, null, null, "2026-03-01"]);
  assert.deepEqual(march[1].at(0), "2026-03-02");
  assert.deepEqual(march.at(-1), ["2026-03-30", "2026-03-31", null, null, null, null, null]);
  assert.deepEqual(weeks("2026-03", SUNDAY)[0].at(0), "2026-03-01");
});

test("every month has each of its days once, in order", () => {
  for (let one = "2026-01"; one < "2030-01"; one = neighbour(one, 1)) {
    const days = weeks(one, MONDAY).flat().filter(Boolean);
    const [year, number] = one.split("-").map(Number);
    assert.equal(days.length, new Date(Date.UTC(year, number, 0)).getUTCDate());
    assert.deepEqual(days, [...new Set(days)].sort());
    assert.ok(days.every((day) => monthOf(day) === one));
  }
});

test("months follow each other over years", () => {
  assert.equal(neighbour("2026-12", 1), "2027-01");
  assert.equal(neighbour("2026-01", -1), "2025-12");
});

test("only a month is a month", () => {
  for (const text of ["2026-01", "2026-12"]) assert.equal(isMonth(text), true);
  for (const text of [null, "", "2026", "2026-13", "2026-00", "2026-1", "2026-01-01"]) assert.equal(isMonth(text), false);
});

test("months and weekdays are named in the reader's language, and weeks begin as the reader is used to", () => {
  use("en", {});
  assert.deepEqual([month("2026-03"), weekday("2026-03-08", "long"), firstOfWeek()], ["March 2026", "Sunday", SUNDAY]);
  use("de", {});
  assert.deepEqual([month("2026-03"), weekday("2026-03-08", "short"), firstOfWeek()], ["März 2026", "So", MONDAY]);
});

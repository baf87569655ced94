import assert from "node:assert/strict";
import { test } from "node:test";
import { closeOf, easternDay, shifted } from "../../services/api/web/app/eastern.js";

const at = (iso) => Date.parse(iso);

test("the day changes at midnight in New York", () => {
  assert.equal(easternDay(at("2026-11-30T04:59:59.999Z")), "2026-11-29");
  assert.equal(easternDay(at("2026-11-30T05:00:00Z")), "2026-11-30");
  assert.equal(easternDay(at("2026-07-01T03:59:59.999Z")), "2026-06-30");
  assert.equal(easternDay(at("2026-07-01T04:00:00Z")), "2026-07-01");
});

test("a day ends at its midnight, by winter and by summer time", () => {
  assert.equal(closeOf("2026-11-29"), at("2026-11-30T05:00:00Z"));
  assert.equal(closeOf("2026-06-30"), at("2026-07-01T04:00:00Z"));
  assert.equal(closeOf("2026-12-31"), at("2027-01-01T05:00:00Z"));
});

test("the day on which clocks go forward has 23 hours, the one on which they go back has 25", () => {
  const length = (day) => (closeOf(day) - closeOf(shifted(day, -1))) / 3_600_000;
  assert.equal(length("2026-03-07"), 24);
  assert.equal(length("2026-03-08"), 23);
  assert.equal(length("2026-11-01"), 25);
});

test("every day of ten years ends where the next one begins", () => {
  for (let day = "2026-01-01"; day < "2036-01-01"; day = shifted(day, 1)) {
    assert.equal(easternDay(closeOf(day) - 1), day);
    assert.equal(easternDay(closeOf(day)), shifted(day, 1));
  }
});

test("days are counted over months and years", () => {
  assert.equal(shifted("2028-02-28", 1), "2028-02-29");
  assert.equal(shifted("2026-01-01", -1), "2025-12-31");
});

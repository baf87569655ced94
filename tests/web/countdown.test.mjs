import assert from "node:assert/strict";
import { test } from "node:test";
import { ahead, left, phrase, pressing, settle, warning } from "../../services/api/web/app/countdown.js";

const MINUTE = 60_000;

test("time left is counted to the instant, and never below zero", () => {
  const closes = "2026-03-09T04:00:00Z";
  assert.equal(left(closes, Date.parse("2026-03-09T03:59:59.500Z")), 500);
  assert.equal(left(closes, Date.parse("2026-03-09T04:00:01Z")), 0);
});

test("hours and minutes first, minutes and seconds in the last hour", () => {
  assert.deepEqual(phrase(5 * 60 * MINUTE + 7 * MINUTE), ["clock.hours", { hours: 5, minutes: "07" }]);
  assert.deepEqual(phrase(59 * MINUTE + 3000), ["clock.minutes", { minutes: 59, seconds: "03" }]);
  assert.deepEqual(phrase(0), ["clock.closing", {}]);
});

test("a day with a clock change is just a longer or shorter one", () => {
  assert.deepEqual(phrase(24.5 * 60 * MINUTE), ["clock.hours", { hours: 24, minutes: "30" }]);
});

test("the server's clock is taken from the Date header, half-way between asking and hearing", () => {
  const server = Date.parse("Sun, 08 Mar 2026 12:00:10 GMT");
  assert.equal(ahead("Sun, 08 Mar 2026 12:00:10 GMT", server - 5000, server - 4000), 5000);
  assert.equal(ahead(null, 0, 0), null);
});

test("what may be the rounding of a second does not move the clock", () => {
  assert.equal(settle(0, 700), 0);
  assert.equal(settle(0, -3600_000), -3600_000);
  assert.equal(settle(5000, null), 5000);
});

test("warnings come once, at ten minutes and at one", () => {
  assert.equal(warning(10 * MINUTE + 500, 10 * MINUTE - 500), 10);
  assert.equal(warning(10 * MINUTE - 500, 9 * MINUTE), null);
  assert.equal(warning(MINUTE + 500, MINUTE - 500), 1);
  assert.equal(warning(MINUTE, 0), null);
});

test("the last ten minutes are pressing", () => {
  assert.equal(pressing(10 * MINUTE), false);
  assert.equal(pressing(10 * MINUTE - 1), true);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { running, took } from "../../services/api/web/app/elapsed.js";
import { use } from "../../services/api/web/app/i18n.js";

const catalog = (language) =>
  JSON.parse(readFileSync(new URL(`../../services/api/web/i18n/${language}.json`, import.meta.url)));
const HOUR = 3_600_000;

beforeEach(() => use("en", catalog("en")));

test("solved with the first guess takes 0.0 s", () => assert.equal(took(0), "0.0 s"));

test("a time is told to a tenth of a second, cut off and never rounded up", () => {
  assert.equal(took(1799), "1.7 s");
  assert.equal(took(59_999), "59.9 s");
  assert.equal(took(60_000), "1 min 00.0 s");
  assert.equal(took(64_250), "1 min 04.2 s");
  assert.equal(took(HOUR - 1), "59 min 59.9 s");
  assert.equal(took(23 * HOUR + 5 * 60_000 + 7_000), "23 h 05 min 07.0 s");
});

test("a running clock shows whole seconds", () => {
  assert.equal(running(0), "0 s");
  assert.equal(running(9_999), "9 s");
  assert.equal(running(69_999), "1 min 09 s");
});

test("decimals are written as the language writes them", () => {
  use("de", catalog("de"));
  assert.equal(took(64_250).replaceAll("\u00a0", " "), "1 min 04,2 s");
});

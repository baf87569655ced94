import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { day, has, t, use } from "../../services/api/web/app/i18n.js";

const WEB = new URL("../../services/api/web/", import.meta.url);
const english = JSON.parse(readFileSync(new URL("i18n/en.json", WEB)));
const modules = readdirSync(new URL("app/", WEB), { recursive: true }).filter((name) => name.endsWith(".js"));
const source = modules.map((name) => readFileSync(new URL(`app/${name}`, WEB), "utf8")).join("\n");

beforeEach(() => use("en", english));

test("values are filled in, and a missing one leaves its hole", () => {
  use("en", { hello: "Hello, {name}." });
  assert.equal(t("hello", { name: "Ann" }), "Hello, Ann.");
  assert.equal(t("hello"), "Hello, {name}.");
});

test("a value is never read as a sentence of its own", () => {
  use("en", { hello: "{a} {b}" });
  assert.equal(t("hello", { a: "{b}", b: "$&" }), "{b} $&");
});

test("a count takes its plural form", () => {
  assert.equal(t("progress.solved", { count: 1 }), "solved in 1");
  assert.equal(t("progress.solved", { count: 4 }), "solved in 4");
});

test("an unknown key is shown itself", () => assert.equal(t("no.such.key"), "no.such.key"));

test("a day is the same in every zone", () => assert.equal(day("2026-03-08"), "Mar 8, 2026"));

test("every sentence that the pages ask for is in the catalog", () => {
  const asked = [...source.matchAll(/\bt\(\s*"([\w.]+)"/g)].map(([, key]) => key);
  const missing = asked.filter((key) => !has(key) && !has(`${key}.other`));
  assert.ok(asked.length > 100);
  assert.deepEqual(missing, []);
});

test("every reason for a refusal has its sentence", () => {
  const core = readFileSync(new URL("../../libs/core/refusals.py", import.meta.url), "utf8");
  const reasons = [...core.matchAll(/^    [A-Z_]+ = "(\w+)"/gm)].map(([, code]) => code);
  assert.ok(reasons.length > 20);
  assert.deepEqual(
    reasons.filter((code) => !has(`problem.${code}`)),
    [],
  );
});

test("every code of a refused request has its sentence", () => {
  const edge = readFileSync(new URL("../../services/api/edge.py", import.meta.url), "utf8");
  const codes = [...edge.matchAll(/^    "(\w+)": \(\d{3}, /gm)].map(([, code]) => code);
  assert.ok(codes.length > 30);
  assert.deepEqual(
    codes.filter((code) => !has(`problem.${code}`)),
    [],
  );
});

test("every sentence of the catalog is used", () => {
  const families = /^(problem|marks|invite|outcome|result|verify|help|lobby|secret|clock)\.|^solver\.(mark|help_)|^lang\.(description|no_script)$|^review\.(no_word|contradiction)$/;
  const plain = Object.keys(english).map((key) => key.replace(/\.(one|other)$/, ""));
  assert.deepEqual(
    plain.filter((key) => !families.test(key) && !source.includes(`"${key}"`)),
    [],
  );
});

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { day, decimal, has, list, number, rich, richList, t, use } from "../../services/api/web/app/i18n.js";

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

test("a language takes as many plural forms as it has", () => {
  use("pl", { rows: "?", "rows.one": "{count} wiersz", "rows.few": "{count} wiersze", "rows.many": "{count} wierszy" });
  assert.deepEqual(
    [1, 3, 5, 22].map((count) => t("rows", { count })),
    ["1 wiersz", "3 wiersze", "5 wierszy", "22 wiersze"],
  );
});

test("what a catalog lacks is said in English", () => {
  use("pl", { "nav.play": "Gra" }, english);
  assert.equal(t("nav.play"), "Gra");
  assert.equal(t("nav.solver"), "Solver");
  assert.equal(t("progress.solved", { count: 1 }), "solved in 1");
  assert.equal(t("progress.solved", { count: 3 }), "solved in 3");
  assert.equal(has("nav.solver"), true);
});

test("numbers are written as the language writes them", () => {
  const found = (language) => {
    use(language, { words: "{count}" }, {});
    return [t("words", { count: 8636 }), number(195.9), decimal(7.2), decimal(1)];
  };
  assert.deepEqual(found("en"), ["8,636", "195.9", "7.2", "1.0"]);
  assert.deepEqual(found("de"), ["8.636", "195,9", "7,2", "1,0"]);
  assert.deepEqual(found("fr"), ["8\u202f636", "195,9", "7,2", "1,0"]);
});

test("a sentence can hold more than text", () => {
  use("en", { hello: "Hello, {name}, {name}." });
  const name = { bold: "Ann" };
  assert.deepEqual(rich("hello", { name }), ["Hello, ", name, ", ", name, "."]);
  use("de", {});
  assert.equal(list(["1", "3", "4"]), "1, 3 und 4");
  assert.deepEqual(richList([name, name]), [name, " und ", name]);
});

test("an unknown key is shown itself", () => assert.equal(t("no.such.key"), "no.such.key"));

test("a day is the same in every zone", () => assert.equal(day("2026-03-08"), "Mar 8, 2026"));

test("every sentence that the pages ask for is in the catalog", () => {
  const asked = [...source.matchAll(/\b(?:t|rich)\(\s*"([\w.]+)"/g)].map(([, key]) => key);
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

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fitting, has, impossible } from "../../services/api/web/app/solver/check.js";

const root = new URL("../../libs/core/words/", import.meta.url);
const editions = readFileSync(new URL("editions.txt", root), "utf8").trim().split("\n");
const list = readFileSync(new URL(`${editions.at(-1)}/enable5.txt`, root), "utf8").trim().split("\n");

const rows = (...texts) =>
  texts.map((text, row) => ({ row, guess: text.slice(0, 5), marks: text.slice(6) }));

test("a gray letter left of a yellow one is impossible, and both tiles are named", () => {
  assert.deepEqual(impossible(rows("crane IIIII", "eerie IRRIC")), { row: 1, gray: 0, yellow: 1 });
  assert.deepEqual(impossible(rows("eerie CIRIR")), { row: 0, gray: 1, yellow: 4 });
});

test("yellow before gray is what games give", () => {
  assert.equal(impossible(rows("eerie RIRIC", "allot RRIII", "abbey IRCIC")), null);
  assert.equal(impossible(rows("eerie ICRII")), null);
});

test("a word is in the list or not", () => {
  for (const word of [list[0], "crane", list.at(-1)]) assert.equal(has(list, word), true, word);
  for (const word of ["aaaaa", "zzzzz", "crani", ""]) assert.equal(has(list, word), false, word);
});

test("without rows all words fit", () => assert.equal(fitting(list, []).length, 8636));

test("the words that fit are those that would be marked so", () => {
  const rhymes = ["batch", "catch", "hatch", "latch", "match", "natch", "patch", "ratch", "watch"];
  assert.deepEqual(fitting(list, rows("fatch ICCCC")), list);
  assert.deepEqual(
    fitting(list, rows("catch ICCCC")),
    rhymes.filter((word) => word !== "catch"),
  );
  assert.equal(fitting(list, rows("xylyl IIIII")).length, 5325);
});

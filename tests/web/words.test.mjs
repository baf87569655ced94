import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { use } from "../../services/api/web/app/i18n.js";
import { because, nameOf, news, spoken } from "../../services/api/web/app/words.js";

const english = JSON.parse(readFileSync(new URL("../../services/api/web/i18n/en.json", import.meta.url)));

const view = (changes = {}) => ({
  state: "playing",
  you: { guesses: [] },
  opponent: { player: { id: "a", name: "Ann" }, rows: [], solved: false },
  result: null,
  ...changes,
});

beforeEach(() => use("en", english));

test("marks are told in words, letter by letter", () => {
  assert.equal(
    spoken({ word: "crane", marks: "CRIII" }),
    "crane: C right spot, R another spot, A not in the word, N not in the word, E not in the word.",
  );
});

test("a gray letter that is in the word once less is not told to be missing", () => {
  assert.equal(
    spoken({ word: "allot", marks: "RRIII" }),
    "allot: A another spot, L another spot, L not once more, O not in the word, T not in the word.",
  );
});

test("an own row is told with its letters, the other's without", () => {
  const guesses = [{ word: "crane", marks: "IIIII" }];
  assert.match(news(view(), view({ you: { guesses } }))[0], /^crane: C not in the word/);
  const opponent = { player: { id: "a", name: "Ann" }, rows: ["CCCCC"], solved: true };
  assert.deepEqual(news(view(), view({ opponent })), [
    "Ann, row 1: right spot, right spot, right spot, right spot, right spot.",
    "Ann has found your word.",
  ]);
});

test("who joins, the start and the end are told", () => {
  const alone = view({ state: "waiting", opponent: { player: null, rows: [], solved: false } });
  assert.deepEqual(news(alone, view()), ["Ann has joined.", "Both words are set. You can guess now."]);
  assert.deepEqual(news(view(), view({ result: { outcome: "win" } })), ["You beat Ann."]);
});

test("what was told is not told again", () => assert.deepEqual(news(view(), view()), []));

test("a refusal is a sentence, also one that is not known yet", () => {
  assert.equal(because({ code: "unknown_word", facts: {} }), "Not in the word list. It cost you nothing.");
  assert.equal(
    because({ code: "brand_new", facts: {} }),
    "Something went wrong on our side. Please try again.",
  );
});

test("a deleted player is called so", () => assert.equal(nameOf({ id: "x", name: null }), "Deleted player"));

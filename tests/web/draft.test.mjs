import assert from "node:assert/strict";
import { test } from "node:test";
import * as draft from "../../services/api/web/app/draft.js";

const typed = (letters, from = draft.blank()) => [...letters].reduce(draft.type, from);

test("five letters make a word, four do not", () => {
  assert.equal(draft.word(typed("crane")), "crane");
  assert.equal(draft.word(typed("cran")), null);
});

test("letters are folded to lower case", () => assert.equal(draft.word(typed("CRANE")), "crane"));

test("behind the last tile nothing is typed", () => assert.equal(draft.word(typed("cranes")), "crane"));

test("a touched tile is typed over, and the place moves on", () => {
  const edited = draft.type(draft.pick(typed("crane"), 1), "l");
  assert.equal(draft.word(edited), "clane");
  assert.equal(edited.at, 2);
});

test("erasing takes back the letter just typed, also in the middle of a word", () => {
  const edited = draft.erase(draft.type(draft.pick(typed("crane"), 1), "l"));
  assert.deepEqual(edited.letters, ["c", "", "a", "n", "e"]);
  assert.equal(edited.at, 1);
});

test("erasing a touched tile takes its own letter, then the ones before", () => {
  assert.equal(draft.erase(typed("cr")).letters.join(""), "c");
  const picked = draft.erase(draft.pick(typed("crane"), 2));
  assert.deepEqual(picked, { letters: ["c", "r", "", "n", "e"], at: 2, chosen: false });
  assert.deepEqual(draft.erase(picked).letters, ["c", "", "", "n", "e"]);
});

test("erasing an empty row leaves it empty", () =>
  assert.deepEqual(draft.erase(draft.blank()), draft.blank()));

test("steps stop at both ends", () => {
  assert.equal(draft.step(draft.blank(), -1).at, 0);
  assert.equal(draft.step(typed("crane"), 1).at, 5);
  assert.equal(draft.step(typed("crane"), -1).at, 4);
});

test("a draft can hold a word that was kept", () =>
  assert.equal(draft.word(draft.holding("sheep")), "sheep"));

test("a draft is never changed in place", () => {
  const before = typed("cra");
  draft.type(before, "n");
  draft.erase(before);
  assert.deepEqual(before, typed("cra"));
});

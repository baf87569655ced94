import assert from "node:assert/strict";
import { test } from "node:test";
import { ROWS, meaning, shown } from "../../services/api/web/app/keys.js";

test("the keyboard has every letter once", () => {
  assert.equal([...ROWS.join("")].sort().join(""), "abcdefghijklmnopqrstuvwxyz");
});

test("a key shows its letter's best mark", () => {
  assert.deepEqual(shown([{ word: "eerie", marks: "RIRIC" }]), { e: "C", r: "R", i: "I" });
});

test("a later and weaker mark does not lower a key", () => {
  const guesses = [
    { word: "crane", marks: "CIIII" },
    { word: "eclat", marks: "IRIII" },
  ];
  assert.equal(shown(guesses).c, "C");
});

test("no guesses, nothing shown", () => assert.deepEqual(shown([]), {}));

test("real keys mean letters, enter, erase and steps", () => {
  assert.equal(meaning({ key: "q" }), "q");
  assert.equal(meaning({ key: "Q" }), "q");
  assert.equal(meaning({ key: "Enter" }), "enter");
  assert.equal(meaning({ key: "Backspace" }), "erase");
  assert.equal(meaning({ key: "ArrowLeft" }), "left");
});

test("look-alikes, other letters and other keys mean nothing", () => {
  for (const key of ["\u0131", "\u017f", "\u212a", "\uff21", "\u00e9", "1", " ", "F5", "Tab", "Dead"]) {
    assert.equal(meaning({ key }), null, key);
  }
});

test("shortcuts are left to the browser", () => {
  assert.equal(meaning({ key: "r", ctrlKey: true }), null);
  assert.equal(meaning({ key: "r", metaKey: true }), null);
  assert.equal(meaning({ key: "r", altKey: true }), null);
  assert.equal(meaning({ key: "r", isComposing: true }), null);
});

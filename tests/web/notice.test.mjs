import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parts } from "../../services/api/web/app/notice.js";

const LONG = "These words fill a line of a text that was broken for want of room,";
const text = (words, inset = false) => ({ kind: "text", text: words, inset });

test("lines that were broken for want of room are one line again", () => {
  assert.deepEqual(parts(`${LONG}\nand go on here.\n\nThe next paragraph.\n`), [
    text(`${LONG} and go on here.`),
    text("The next paragraph."),
  ]);
});

test("a line with a rule below is a heading", () =>
  assert.deepEqual(parts("1. ENABLE\n=========\n"), [{ kind: "heading", text: "1. ENABLE", inset: false }]));

test("what is set in columns stays as it is", () => {
  const table = "File          Under\nsecrets.txt   CC BY-SA 4.0\n              and others";
  assert.deepEqual(parts(`\n${table}\n\n`), [{ kind: "table", text: table, inset: false }]);
});

test("the lines of an address are kept", () =>
  assert.deepEqual(parts("    A. Name\n    1 Street\n    Town"), [text("A. Name\n1 Street\nTown", true)]));

test("each item of a list begins a line", () => {
  const list = `  1. ${LONG}\n     and go on here.\n  (clause 2 is gone)\n  3. The last.`;
  assert.deepEqual(parts(list), [text(`1. ${LONG} and go on here.\n(clause 2 is gone)\n3. The last.`, true)]);
});

test("a quotation has its mark once", () =>
  assert.deepEqual(parts(`> ${LONG}\n> and go on here.`), [text(`> ${LONG} and go on here.`)]));

test("no word of the notices is lost", () => {
  const notice = readFileSync(new URL("../../NOTICE", import.meta.url), "utf8");
  const words = (all) => all.split(/\s+/).filter((word) => word && word !== ">" && !/^=+$/.test(word));
  assert.deepEqual(words(parts(notice).map((one) => one.text).join("\n")), words(notice));
});

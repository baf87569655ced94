import assert from "node:assert/strict";
import { test } from "node:test";
import { holding } from "../../services/api/web/app/solver/board.js";
import { boardOf, read, written } from "../../services/api/web/app/solver/link.js";
import { asText, fromText } from "../../services/api/web/app/solver/text.js";

const rows = (text) => written(holding(fromText(text).rows));

test("a link holds the board and gives it back", () => {
  for (const text of ["CRANE.CIIRI", "CRANE.CIIRI_SLATE.IIICC", "CRA--.III--", "-----.CIIRI"]) {
    assert.equal(written(read(text)), text);
  }
});

test("a link is read in either case, and without marks as gray", () => {
  assert.equal(written(read("crane.ciiri")), "CRANE.CIIRI");
  assert.equal(written(read("crane")), "CRANE.IIIII");
});

test("what is no row of a link is left away, and so is a seventh", () => {
  assert.equal(written(read("CRANE.CIIRI_../x_CR4NE.CIIRI_CRANES.CIIRI_<b>__-----.-----")), "CRANE.CIIRI");
  assert.equal(written(read(Array(7).fill("CRANE.IIIII").join("_"))), Array(6).fill("CRANE.IIIII").join("_"));
});

test("an address holds a board behind # or ?", () => {
  assert.equal(written(boardOf(new URL("https://a/solver#b=CRANE.CIIRI"))), "CRANE.CIIRI");
  assert.equal(written(boardOf(new URL("https://a/solver?b=CRANE.CIIRI"))), "CRANE.CIIRI");
  assert.equal(boardOf(new URL("https://a/solver#b=")), null);
  assert.equal(boardOf(new URL("https://a/solver")), null);
});

test("a share grid without words gives rows of colours", () => {
  const { rows: found, colours, cut } = fromText("Game 1,234 3/6*\n\n⬛🟨⬜⬛⬛\n🟩🟩🟩⬛🟨\n🟩🟩🟩🟩🟩\n");
  assert.equal(written(holding(found)), "-----.IRIII_-----.CCCIR_-----.CCCCC");
  assert.deepEqual([colours, cut], [true, false]);
});

test("orange and blue are the same colours for the colour-blind", () =>
  assert.equal(rows("🟧🟦⬛⬛⬜"), "-----.CRIII"));

test("squares may be followed by a variation selector", () =>
  assert.equal(rows("⬛\ufe0f🟩⬜\ufe0f🟨⬛\ufe0f"), "-----.ICIRI"));

test("words stand before or behind their squares", () => {
  assert.equal(rows("🟩⬛⬛🟨⬛ CRANE"), "CRANE.CIIRI");
  assert.equal(rows("crane 🟩⬛⬛🟨⬛"), "CRANE.CIIRI");
});

test("words below a grid belong to it", () =>
  assert.equal(rows("🟩⬛⬛🟨⬛\n⬛⬛⬛🟩🟩\n\nCRANE\nSLATE"), "CRANE.CIIRI_SLATE.IIICC"));

test("lines of words and marks are read with any sign between them", () => {
  for (const text of ["CRANE CIIRI", "crane.ciiri", "1. CRANE: CIIRI", "  Crane,\tCIIRI  ", '"CRANE" "CIIRI"']) {
    assert.equal(rows(text), "CRANE.CIIRI", text);
  }
});

test("a word that looks like marks is a word where it stands alone", () => {
  assert.equal(rows("CIRRI"), "CIRRI.IIIII");
  assert.equal(rows("CRANE CIRRI"), "CRANE.CIRRI");
});

test("words alone are gray rows", () => {
  const { rows: found, words } = fromText("crane\nslate");
  assert.equal(written(holding(found)), "CRANE.IIIII_SLATE.IIIII");
  assert.equal(words, true);
  assert.equal(rows("crane, slate"), "CRANE.IIIII_SLATE.IIIII");
});

test("a sentence or a title is no row", () => {
  for (const text of ["Daily 5/6", "I tried crane and slate today", "🟩🟩", "cr4ne", "naïve", ""]) {
    assert.equal(rows(text), "", text);
  }
});

test("a seventh row is cut off, and that is told", () => {
  const { rows: found, cut } = fromText(Array(7).fill("CRANE CIIRI").join("\n"));
  assert.equal(found.length, 6);
  assert.equal(cut, true);
});

test("a link to a board is read as the board", () =>
  assert.equal(rows("look: https://example.org/solver#b=CRANE.CIIRI_SL---.II---"), "CRANE.CIIRI_SL---.II---"));

test("a board as text comes back as it was", () => {
  for (const text of ["CRANE.CIIRI_SLATE.IIICC", "-----.CIIRI", "CRANE.CIIRI"]) {
    assert.equal(rows(asText(read(text))), text);
  }
  assert.equal(asText(read("CRANE.CIIRI")), "🟩⬛⬛🟨⬛ CRANE");
});

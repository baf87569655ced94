import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { use } from "../../services/api/web/app/i18n.js";
import { asSquares, asWords, squares } from "../../services/api/web/app/share_text.js";
import { fromText } from "../../services/api/web/app/solver/text.js";

const FOLDER = new URL("../../services/api/web/i18n/", import.meta.url);
const catalog = (language) => JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER)));
const address = "https://yard.test/daily";
const guesses = [
  { word: "zloty", marks: "IRIIC" },
  { word: "vouch", marks: "CCCCC" },
];
const solved = { day: "2026-03-08", state: "solved", guesses, elapsed_ms: 64_250 };
const failed = { ...solved, state: "failed", guesses: Array(6).fill(guesses[0]), elapsed_ms: null };

beforeEach(() => use("en", catalog("en")));

test("a result is shared as a line, squares and an address", () =>
  assert.equal(
    asSquares(solved, { colours: "light", address }),
    `Wordyard Daily, Mar 8, 2026: 2/6, 1 min 04.2 s\n\n⬜🟪⬜⬜🟩\n🟩🟩🟩🟩🟩\n\n${address}`,
  ));

test("a word that was not found is an X, without a time", () =>
  assert.match(asSquares(failed, { colours: "light", address }), /^Wordyard Daily, Mar 8, 2026: X\/6\n\n(⬜🟪⬜⬜🟩\n){6}/));

test("gray is the square that shows on the background", () => {
  assert.equal(squares([guesses[0]], "light"), "⬜🟪⬜⬜🟩");
  assert.equal(squares([guesses[0]], "dark"), "⬛🟪⬛⬛🟩");
});

test("in words each row is told by its marks", () =>
  assert.equal(
    asWords(solved, { address }),
    [
      "Wordyard Daily, Mar 8, 2026: 2/6, 1 min 04.2 s",
      "Row 1: not in the word, another spot, not in the word, not in the word, right spot.",
      "Row 2: right spot, right spot, right spot, right spot, right spot.",
      address,
    ].join("\n"),
  ));

test("no language shares a letter of any guess", () => {
  const letters = guesses.map(({ word }) => ({ word, marks: "RRRRR" }));
  for (const file of readdirSync(FOLDER)) {
    const language = file.replace(".json", "");
    use(language, catalog(language), catalog("en"));
    for (const view of [solved, failed, { ...failed, guesses: letters }]) {
      for (const text of [asSquares(view, { colours: "dark", address }), asWords(view, { address })]) {
        for (const { word } of guesses) assert.ok(!text.toLowerCase().includes(word), `${language}: ${text}`);
      }
      const bare = { ...view, guesses: view.guesses.map(({ marks }) => ({ marks })) };
      assert.equal(asWords(bare, { address }), asWords(view, { address })); // it does not even look at the word
      assert.equal(squares(bare.guesses, "dark"), squares(view.guesses, "dark"));
    }
  }
});

test("the solver reads what was shared", () => {
  for (const colours of ["light", "dark"]) {
    const { rows } = fromText(asSquares(solved, { colours, address }));
    assert.deepEqual(
      rows.map(({ marks }) => marks.join("")),
      ["IRIIC", "CCCCC"],
    );
  }
});

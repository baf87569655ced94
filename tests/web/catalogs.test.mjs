import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES } from "../../services/api/web/app/languages.js";

const FOLDER = new URL("../../services/api/web/i18n/", import.meta.url);
const LARGEST = 10_000; // no count is larger
const FORMS = /\.(zero|one|two|few|many|other)$/;

/** What reads the same as in English, and where: international words, units, and the same word by chance. */
const SAME = {
  "account.title": "it nl",
  "chat.open": "da de es fr it nb nl pt",
  "chat.send": "da nb",
  "chat.title": "da de es fr it nb nl pt",
  "clock.hours": "pl pt sv",
  "clock.minutes": "da fi nb nl pl pt sv",
  "game.title": "da fr nl",
  "keys.enter": "de nl pl pt",
  "time.hours": "de es fr it pl pt sv",
  "time.seconds": "da de es fi fr it nb nl pl pt sv",
  "verify.salt": "da de nb nl sv",
};
const isSame = (key, language) => SAME[key]?.split(" ").includes(language) ?? false;
const hasWords = (sentence) => /\p{L}/u.test(sentence.replace(/\{\w+\}/g, ""));

const read = (language) => JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), "utf8"));
const english = read("en");
const counted = new Set(Object.keys(english).filter((key) => FORMS.test(key)).map((key) => key.replace(FORMS, "")));
const plain = Object.keys(english).filter((key) => !FORMS.test(key));
const holes = (sentence) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const besides = (names) => names.filter((name) => name !== "count");
const others = Object.keys(LANGUAGES).filter((language) => language !== "en");

/** The plural forms that whole numbers take in a language. */
function forms(language) {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: LARGEST }, (_, count) => rules.select(count)));
}

test("there are thirteen languages, each with its catalog", () => {
  const files = readdirSync(FOLDER).map((name) => name.replace(".json", ""));
  assert.deepEqual(files.sort(), Object.keys(LANGUAGES).sort());
  assert.equal(files.length, 13);
});

for (const language of Object.keys(LANGUAGES)) {
  const catalog = read(language);

  test(`${language}: every sentence is there, and no other`, () => {
    const allowed = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
    const needed = [...counted].flatMap((key) => [...forms(language)].map((form) => `${key}.${form}`));
    const possible = [...counted].flatMap((key) => [...allowed].map((form) => `${key}.${form}`));
    assert.deepEqual([...plain, ...needed].filter((key) => !(key in catalog)), []);
    assert.deepEqual(Object.keys(catalog).filter((key) => !plain.includes(key) && !possible.includes(key)), []);
  });

  test(`${language}: every sentence says something, without blanks around it`, () =>
    assert.deepEqual(
      Object.keys(catalog).filter((key) => typeof catalog[key] !== "string" || !catalog[key] || catalog[key] !== catalog[key].trim()),
      [],
    ));

  test(`${language}: the values have their holes`, () => {
    const wrong = Object.keys(catalog).filter((key) => {
      const wanted = holes(english[key] ?? english[key.replace(FORMS, ".other")]);
      const found = holes(catalog[key]);
      const single = /\.one$/.test(key); // "one minute": the number may be a word, or be written as one
      return String(single ? besides(found) : found) !== String(single ? besides(wanted) : wanted);
    });
    assert.deepEqual(wrong, []);
  });
}

for (const language of others) {
  test(`${language}: nothing was left in English`, () => {
    const catalog = read(language);
    const left = Object.keys(english).filter((key) => catalog[key] === english[key] && hasWords(english[key]));
    assert.deepEqual(
      left.filter((key) => !isSame(key, language)),
      [],
    );
  });
}

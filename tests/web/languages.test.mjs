import assert from "node:assert/strict";
import { test } from "node:test";

const root = { lang: "en" };
globalThis.document = { documentElement: root, cookie: "" };
globalThis.location = { protocol: "http:" };
const { begin, choose, current } = await import("../../services/api/web/app/languages.js");
const { t } = await import("../../services/api/web/app/i18n.js");
const { kept } = await import("../../services/api/web/app/shelf.js");

const arrivals = {}; // by language: lets its catalog arrive
globalThis.fetch = (path) => {
  const language = path.match(/(\w+)\.json$/)[1];
  return new Promise((resolve) => {
    arrivals[language] = () => resolve(Response.json({ hello: `hello in ${language}` }));
    if (language === "en") arrivals.en();
  });
};

test("of two languages chosen quickly the last one holds, however slow the other's catalog is", async () => {
  await begin();
  const first = choose("de");
  const second = choose("fr");
  arrivals.fr();
  await second;
  arrivals.de();
  await first;
  assert.deepEqual([current(), t("hello"), kept("language")], ["fr", "hello in fr", "fr"]);
  assert.match(document.cookie, /^wordyard_language=fr;/);
});

test("a language that is chosen again after another one is spoken", async () => {
  await choose("de");
  assert.deepEqual([current(), t("hello"), kept("language")], ["de", "hello in de", "de"]);
});

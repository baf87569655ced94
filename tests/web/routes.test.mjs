import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../../services/api/web/app/lexicon.js";
import { match } from "../../services/api/web/app/routes.js";

const routes = [
  ["/", "lobby"],
  ["/game/{id}", "game"],
];

test("an address finds its page and parameters", () => {
  assert.deepEqual(match(routes, "/"), { page: "lobby", params: {} });
  assert.deepEqual(match(routes, "/game/7f%203a"), { page: "game", params: { id: "7f 3a" } });
});

test("a longer, shorter or foreign address finds nothing", () => {
  for (const path of ["/game", "/game/1/2", "/nowhere"]) assert.equal(match(routes, path), null, path);
});

test("a broken escape is taken as it stands", () =>
  assert.equal(match(routes, "/game/%E0").params.id, "%E0"));

test("a secret is judged as it is typed", () => {
  const list = ["crane", "sheep"];
  assert.equal(verdict("", list), "short");
  assert.equal(verdict("cran", list), "short");
  assert.equal(verdict("Crane", list), "good");
  assert.equal(verdict("zzzzz", list), "unlisted");
  assert.equal(verdict("cr4ne", list), "letters");
  assert.equal(verdict("cr\u0131me", list), "letters");
});

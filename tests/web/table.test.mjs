import assert from "node:assert/strict";
import { test } from "node:test";
import { duelSeat } from "../../services/api/web/app/seats.js";
import { keep, kept } from "../../services/api/web/app/shelf.js";
import { sit } from "../../services/api/web/app/table.js";

globalThis.location = { protocol: "http:", host: "yard.test" };
globalThis.WebSocket = class {
  close() {}
};

const view = (words) => ({ version: 2 + words.length, you: { guesses: words.map((word) => ({ word })) } });
const nothing = () => {};

test("a guess that was left unanswered is sent under its key as soon as the game is seen", async () => {
  const sent = [];
  let reached = false;
  globalThis.fetch = async (url, { method, headers, body }) => {
    if (!reached) throw new TypeError("no network");
    if (method === "POST") sent.push([url, headers["Idempotency-Key"], JSON.parse(body)]);
    return Response.json(view(method === "POST" ? ["crane"] : []));
  };
  keep("guess.g1", { word: "crane", key: "k1", after: 0 });
  let table = null;
  const taken = new Promise((resolve) => {
    table = sit(duelSeat("g1"), { changed: nothing, happened: nothing, settled: resolve });
  });
  await table.look();
  assert.deepEqual([table.problem.code, sent], ["offline", []]);
  reached = true;
  await table.look();
  assert.equal(await taken, null);
  table.leave();
  assert.deepEqual(sent, [["/api/v1/games/g1/guesses", "k1", { word: "crane" }]]);
  assert.deepEqual([kept("guess.g1"), table.view.version], [null, 3]);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { closeOf, easternDay } from "../../services/api/web/app/eastern.js";
import { me } from "../../services/api/web/app/me.js";
import { dailySeat } from "../../services/api/web/app/seats.js";
import { forget, keep } from "../../services/api/web/app/shelf.js";
import { sit } from "../../services/api/web/app/table.js";

const day = "2026-03-08";
const board = { id: "a1", kind: "daily", day, state: "open", version: 0, guesses: [] };
let asked = [];
let answers = {};

globalThis.location = { protocol: "http:", host: "yard.test" };
globalThis.WebSocket = class {
  constructor(url) {
    asked.push(url);
  }
  close() {
    asked.push("closed");
  }
};
globalThis.fetch = async (url, { method, body }) => {
  const path = url.replace("/api/v1", "");
  asked.push(body ? `${method} ${path} ${body}` : `${method} ${path}`);
  const [status, answer] = answers[path] ?? [404, { code: "not_found" }];
  return Response.json(answer, { status });
};

beforeEach(() => {
  asked = [];
  answers = {};
  Object.assign(me, { player: { id: "p", guest: true }, known: true });
});

/** The table once it has said so many times that it has changed or settled. */
function seated(seat) {
  const news = [];
  const waiting = [];
  const ring = () => waiting.splice(0).forEach((resolve) => resolve());
  const table = sit(seat, {
    changed: ring,
    happened: (before, view) => news.push(view.state),
    settled: (problem) => {
      news.push(problem?.code ?? "taken");
      ring();
    },
  });
  const until = async (seen) => {
    while (!seen()) await new Promise((resolve) => waiting.push(resolve));
  };
  return { table, news, until };
}

test("today's Daily is asked for once without a day, and then by its day: also after midnight", async () => {
  answers = { "/daily": [200, board], [`/daily/${day}`]: [200, { ...board, state: "closed", word: "crepe" }] };
  const { table, news, until } = seated(dailySeat(me));
  await until(() => table.view);
  await table.look();
  table.leave();
  assert.deepEqual(asked, ["GET /daily", "ws://yard.test/api/v1/games/a1/live?after=0", `GET /daily/${day}`, "closed"]);
  assert.deepEqual(news, ["open", "closed"]); // the version is the same: time alone has closed it
});

test("a guess names the day of the board that it was typed on", async () => {
  answers = {
    "/daily": [200, board],
    "/daily/guesses": [200, { ...board, version: 1, guesses: [{ word: "crane", marks: "IIIII" }] }],
  };
  const { table, news, until } = seated(dailySeat(me));
  await until(() => table.view);
  table.guess("crane");
  await until(() => news.includes("taken"));
  table.leave();
  assert.ok(asked.includes(`POST /daily/guesses {"word":"crane","day":"${day}"}`));
});

test("a guess that waited over midnight is refused for its day, and not taken for the next", async () => {
  const over = { ...board, state: "closed", word: "crepe" };
  answers = { [`/daily/${day}`]: [200, over], "/daily/guesses": [409, { code: "closed" }] };
  keep(`guess.daily.${day}`, { word: "crane", key: "k", after: 0 });
  const { table, news, until } = seated(dailySeat(me, day));
  await until(() => news.includes("closed") && !table.sending);
  table.leave();
  assert.ok(asked.includes(`POST /daily/guesses {"word":"crane","day":"${day}"}`));
  assert.equal(table.view.state, "closed");
  forget(`guess.daily.${day}`);
});

test("who is nobody yet sees the board of today, and is made nobody by that", async () => {
  const today = easternDay(Date.now());
  answers = { [`/daily/${today}/verify`]: [200, { day: today, commitment: "c", word: null }] };
  const { table, until } = seated(dailySeat({ player: null }));
  await until(() => table.view);
  table.leave();
  assert.deepEqual(asked, [`GET /daily/${today}/verify`]);
  const { id, state, closes_at, commitment } = table.view;
  assert.deepEqual([id, state, Date.parse(closes_at), commitment], [null, "open", closeOf(today), "c"]);
});

test("who is nobody yet sees the word of a day that is over", async () => {
  answers = { [`/daily/${day}/verify`]: [200, { day, commitment: "c", word: "crepe" }] };
  const { table, until } = seated(dailySeat({ player: null }, day));
  await until(() => table.view);
  table.leave();
  assert.deepEqual([table.view.state, table.view.word], ["closed", "crepe"]);
});

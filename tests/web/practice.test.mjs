import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pick, type } from "../../services/api/web/app/draft.js";
import { practise } from "../../services/api/web/app/practice.js";
import { forget, keep, kept } from "../../services/api/web/app/shelf.js";

const nothing = () => {};
const game = (token, words = [], state = "open") => ({
  token,
  guesses: words.map((word) => ({ word, marks: "IIIII" })),
  state,
  word: state === "open" ? null : "crepe",
});

let sent = [];

/** The service answers with these, one after the other: a game, or the code of a refusal. */
function answers(...all) {
  globalThis.fetch = async (url, { body, headers }) => {
    sent.push([url, JSON.parse(body), headers["Idempotency-Key"]]);
    const answer = all.shift();
    return typeof answer === "string" ? Response.json({ code: answer }, { status: 422 }) : Response.json(answer);
  };
}

/** Sit down, with everything that is told. */
function sitDown() {
  const told = { happened: [], settled: [] };
  const table = practise({
    changed: nothing,
    happened: (taken) => told.happened.push(taken),
    settled: (problem) => told.settled.push(problem?.code ?? null),
  });
  return { table, told };
}

beforeEach(() => {
  sent = [];
  forget("practice");
});

test("a browser that has kept nothing has no game", () => {
  const { table } = sitDown();
  assert.deepEqual([table.game, table.isOpen()], [null, false]);
});

test("a game that is taken is kept, and the next page plays on", () => {
  sitDown().table.take(game("t1", ["eerie"]));
  const { table } = sitDown();
  assert.deepEqual([table.game, table.isOpen()], [game("t1", ["eerie"]), true]);
});

test("what is no game is not taken for one", () => {
  const broken = [{ token: 5 }, { guesses: 5 }, { guesses: [null] }, { guesses: [{ word: "eerie" }] }, { state: "?" }];
  for (const found of ["x", 5, [], {}, ...broken.map((part) => ({ ...game("t1"), ...part }))]) {
    keep("practice", found);
    assert.equal(sitDown().table.game, null, JSON.stringify(found));
  }
});

test("a guess goes with the token, and the answer is kept under the next", async () => {
  answers(game("t2", ["eerie"]));
  const { table, told } = sitDown();
  table.take(game("t1"));
  table.edit(type, "e");
  await table.guess("eerie");
  assert.deepEqual(sent, [["/api/v1/practice/guesses", { token: "t1", word: "eerie" }, undefined]]);
  assert.deepEqual([table.game.token, kept("practice").token, table.sending], ["t2", "t2", null]);
  assert.deepEqual(table.draft.letters, ["", "", "", "", ""]);
  assert.deepEqual(told.settled, [null]);
  assert.deepEqual(told.happened.map(({ token }) => token), ["t1", "t2"]);
});

test("a refused word stays to be changed, and costs nothing", async () => {
  answers("unknown_word");
  const { table, told } = sitDown();
  table.take(game("t1"));
  table.edit(type, "z");
  await table.guess("zzzzz");
  assert.deepEqual([table.draft.letters[0], table.game.token, table.isOpen()], ["z", "t1", true]);
  assert.deepEqual(told.settled, ["unknown_word"]);
});

test("nothing is typed and nothing else sent while a guess is on its way", async () => {
  answers(game("t2", ["eerie"]));
  const { table } = sitDown();
  table.take(game("t1"));
  const first = table.guess("eerie");
  table.edit(pick, 3);
  await table.guess("allot");
  await first;
  assert.deepEqual([sent.length, table.draft.at], [1, 0]);
});

test("a game that the service does not know is over, and kept no longer", async () => {
  answers("practice_token");
  const { table, told } = sitDown();
  table.take(game("t1"));
  await table.guess("eerie");
  assert.deepEqual([table.isOpen(), table.lost.code, kept("practice")], [false, "practice_token", null]);
  assert.deepEqual(told.settled, ["practice_token"]);
  table.take(game("t9"));
  assert.deepEqual([table.isOpen(), table.lost], [true, null]);
});

test("a game that is over takes no guess", () => {
  const { table } = sitDown();
  table.take(game("t1", ["crepe"], "solved"));
  assert.equal(table.isOpen(), false);
});

test("a guess that is not answered is sent again", async () => {
  const { table, told } = sitDown();
  table.take(game("t1"));
  let waited = null;
  globalThis.fetch = async (_, { body }) => {
    sent.push(JSON.parse(body));
    waited ??= table.sending.waits;
    if (sent.length === 1) throw new TypeError("no network");
    assert.equal(table.sending.waits, true);
    return Response.json(game("t2", ["eerie"]));
  };
  await table.guess("eerie");
  assert.deepEqual([waited, sent.length, table.game.token, told.settled], [false, 2, "t2", [null]]);
});

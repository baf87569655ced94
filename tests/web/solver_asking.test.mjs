import assert from "node:assert/strict";
import { test } from "node:test";
import { asking } from "../../services/api/web/app/solver/asking.js";

/** A service that answers when it is told to. */
function service() {
  const asked = [];
  const ask = (question, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      asked.push({ question, signal, resolve, reject });
    });
  return { asked, ask };
}

const once = (ask) => ask();

/** Wait until something is true, without a clock. */
async function until(ready) {
  for (let turn = 0; turn < 10_000 && !ready(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(ready());
}

test("questions that follow at once are asked as one", async () => {
  const { asked, ask } = service();
  const state = asking({ ask, changed: () => {}, pause: 5, repeat: once });
  for (const question of ["c", "cr", "cra"]) state.want(question);
  await until(() => asked.length === 1);
  asked[0].resolve({ count: 3 });
  await until(() => !state.busy);
  assert.deepEqual(state.answer, { question: "cra", count: 3 });
  assert.equal(asked.length, 1);
});

test("the newest question wins, and the older one is given up", async () => {
  const { asked, ask } = service();
  const state = asking({ ask, changed: () => {}, pause: 0, repeat: once });
  state.want("old");
  await until(() => asked.length === 1);
  state.want("new");
  await until(() => asked.length === 2);
  assert.equal(asked[0].signal.aborted, true);
  asked[1].resolve({ count: 2 });
  asked[0].resolve({ count: 1 });
  await until(() => !state.busy);
  assert.deepEqual(state.answer, { question: "new", count: 2 });
});

test("what was asked last is not asked again", async () => {
  const { asked, ask } = service();
  const state = asking({ ask, changed: () => {}, pause: 0, repeat: once });
  state.want({ rows: [1] });
  await until(() => asked.length === 1);
  asked[0].resolve({});
  await until(() => !state.busy);
  state.want({ rows: [1] });
  assert.equal(state.busy, false);
});

test("a refusal is told, and the next answer takes it back", async () => {
  const { asked, ask } = service();
  let paintings = 0;
  const state = asking({ ask, changed: () => (paintings += 1), pause: 0, repeat: once });
  state.want("bad");
  await until(() => asked.length === 1);
  asked[0].reject(Object.assign(new Error(), { code: "board_refused", status: 422 }));
  await until(() => state.problem);
  assert.equal(state.problem.code, "board_refused");
  assert.equal(state.busy, false);
  state.want("good");
  await until(() => asked.length === 2);
  asked[1].resolve({ count: 1 });
  await until(() => !state.busy);
  assert.equal(state.problem, null);
  assert.equal(paintings, 2);
});

test("while no answer comes the problem is shown and the question stays", async () => {
  const { asked, ask } = service();
  const repeat = async (again, { waiting }) => {
    try {
      return await again();
    } catch (problem) {
      waiting(problem);
      return again();
    }
  };
  const state = asking({ ask, changed: () => {}, pause: 0, repeat });
  state.want("board");
  await until(() => asked.length === 1);
  asked[0].reject(Object.assign(new Error(), { code: "offline", status: 0 }));
  await until(() => asked.length === 2);
  assert.deepEqual([state.problem.code, state.busy], ["offline", true]);
  asked[1].resolve({ count: 1 });
  await until(() => !state.busy);
  assert.deepEqual([state.problem, state.answer.count], [null, 1]);
});

test("after dropping nothing is heard of any more", async () => {
  const { asked, ask } = service();
  const state = asking({ ask, changed: () => assert.fail("heard"), pause: 0, repeat: once });
  state.want("board");
  await until(() => asked.length === 1);
  state.drop();
  asked[0].resolve({ count: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(state.answer, null);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { delay, passing, untilAnswered } from "../../services/api/web/app/patience.js";
import { address, follow, isNewer } from "../../services/api/web/app/socket.js";

class Line {
  static all = [];
  constructor(url) {
    this.url = url;
    Line.all.push(this);
  }
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close() {
    this.closed = true;
    this.onclose({ code: 1000 });
  }
}

const place = { protocol: "http:", host: "yard.test" };
const bells = [];
const timers = {
  setTimeout: (ring) => bells.push(ring) - 1,
  clearTimeout: (bell) => (bells[bell] = () => {}),
};

function feed() {
  const seen = { versions: [], states: [], chat: [] };
  const heard = (message) =>
    message.type === "view" ? seen.versions.push(message.version) : seen.chat.push(message);
  const last = () => seen.versions.at(-1) ?? null;
  const held = follow("g1", {
    heard,
    state: (name) => seen.states.push(name),
    last,
    place,
    Socket: Line,
    timers,
  });
  return { seen, held };
}

beforeEach(() => {
  Line.all.length = 0;
  bells.length = 0;
});

test("the first address asks for the present, a later one for what came after", () => {
  assert.equal(address("g1", null, place), "ws://yard.test/api/v1/games/g1/live");
  assert.equal(
    address("g1", 7, { ...place, protocol: "https:" }),
    "wss://yard.test/api/v1/games/g1/live?after=7",
  );
});

test("a view is taken once and in order; older ones and doubles are dropped", () => {
  const { seen } = feed();
  for (const version of [3, 3, 2, 4, 4, 6, 5]) Line.all[0].says({ type: "view", version });
  assert.deepEqual(seen.versions, [3, 4, 6]);
});

test("only views are numbered", () => {
  assert.equal(isNewer(null, { type: "view", version: 1 }), true);
  assert.equal(isNewer(1, { type: "view", version: 1 }), false);
  const { seen } = feed();
  Line.all[0].says({ type: "chat", message: {} });
  Line.all[0].says({ type: "chat_cleared" });
  assert.equal(seen.chat.length, 2);
});

test("a lost line is opened again after the last version", () => {
  const { seen } = feed();
  Line.all[0].onopen();
  Line.all[0].says({ type: "view", version: 4 });
  Line.all[0].onclose({ code: 1012 });
  bells[0]();
  assert.equal(Line.all[1].url, "ws://yard.test/api/v1/games/g1/live?after=4");
  Line.all[1].onopen();
  assert.deepEqual(seen.states, ["live", "lost", "live"]);
});

test("hurrying opens at once and only one line", () => {
  const { held } = feed();
  Line.all[0].onclose({ code: 1006 });
  held.hurry();
  held.hurry();
  bells[0]();
  assert.equal(Line.all.length, 2);
});

test("a session that ended is not tried again", () => {
  const { seen, held } = feed();
  Line.all[0].onclose({ code: 4001 });
  held.hurry();
  assert.deepEqual(seen.states, ["ended"]);
  assert.deepEqual([Line.all.length, bells.length], [1, 0]);
});

test("a page that goes closes its line, and it stays closed", () => {
  const { seen, held } = feed();
  held.close();
  assert.equal(Line.all[0].closed, true);
  assert.deepEqual([seen.states, bells.length], [[], 0]);
});

test("waits double up to fifteen seconds, with chance in the upper half", () => {
  assert.equal(delay(0, 1), 500);
  assert.equal(delay(0, 0), 250);
  assert.equal(delay(3, 1), 4000);
  assert.equal(delay(40, 1), 15_000);
});

test("a question is asked again only while nothing was said about it", async () => {
  const answers = [0, 503, 200];
  const ask = async () => {
    const status = answers.shift();
    if (status !== 200) throw { status };
    return "taken";
  };
  assert.equal(await untilAnswered(ask, { pause: async () => {} }), "taken");
  assert.equal(passing(422), false);
  await assert.rejects(
    untilAnswered(
      async () => {
        throw { status: 422 };
      },
      { pause: async () => {} },
    ),
    { status: 422 },
  );
});

test("the server's wait is kept to, and tries can be counted", async () => {
  const waits = [];
  const ask = async () => {
    throw { status: 429, retryAfter: 30 };
  };
  await assert.rejects(untilAnswered(ask, { tries: 2, pause: async (ms) => waits.push(ms) }), {
    status: 429,
  });
  assert.deepEqual(waits, [30_000]);
});

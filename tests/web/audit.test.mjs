import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checks, commitTo, outcome } from "../../services/api/web/app/audit.js";
import { mark } from "../../services/api/web/app/marks.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url)));

const SALT = "000102030405060708090a0b0c0d0e0f";
const COMMITMENT = "81485561dc69e491c6f7411c9b31f0f50dcea759e696bc3fd53840cc0f21540b";

const guessed = (by, number, word, marks) => ({
  type: "guessed",
  by,
  number,
  word,
  marks,
  at: `2026-03-08T12:0${number}:00Z`,
});

async function fairGame() {
  const secrets = { ann: "crane", bob: "sheep" };
  const salts = { ann: SALT, bob: "f".repeat(32) };
  const commitments = {
    ann: await commitTo("crane", SALT, crypto),
    bob: await commitTo("sheep", salts.bob, crypto),
  };
  const set = (by) => ({
    type: "secret_set",
    by,
    word: secrets[by],
    salt: salts[by],
    commitment: commitments[by],
  });
  const scores = [
    { player: "ann", outcome: "win", guesses: 2, solved: true },
    { player: "bob", outcome: "loss", guesses: 1, solved: false },
  ];
  const events = [
    set("ann"),
    set("bob"),
    { type: "started", closes_at: "2026-03-09T04:00:00Z" },
    guessed("ann", 1, "geese", "IRCRI"),
    guessed("bob", 1, "eerie", "IIRIC"),
    guessed("ann", 2, "sheep", "CCCCC"),
    { type: "ended", scores },
  ];
  return { players: [{ id: "ann" }, { id: "bob" }], secrets, salts, commitments, events };
}

const wrong = async (audit) =>
  (await checks(audit)).filter(({ ok }) => !ok).map(({ kind, player }) => `${kind} ${player ?? ""}`);

test("every guess of the marks vectors is marked as they say", () => {
  for (const { guess, secret, marks } of vectors("marks").cases)
    assert.equal(mark(guess, secret), marks, `${guess} ${secret}`);
});

test("a commitment is SHA-256 over the salt's bytes and the word", async () => {
  assert.equal(await commitTo("crane", SALT, crypto), COMMITMENT);
});

test("a fair game passes every check", async () => assert.deepEqual(await wrong(await fairGame()), []));

test("a word that changed is found", async () => {
  const audit = await fairGame();
  audit.secrets.bob = "sleep";
  assert.deepEqual(await wrong(audit), ["commitment bob", "marks ann"]);
});

test("a commitment that is not the published one is found", async () => {
  const audit = await fairGame();
  audit.commitments.ann = "0".repeat(64);
  assert.deepEqual(await wrong(audit), ["commitment ann"]);
});

test("a wrong mark is found", async () => {
  const audit = await fairGame();
  audit.events[4].marks = "IIIIC";
  assert.deepEqual(await wrong(audit), ["marks bob"]);
});

test("a seventh guess, a gap and a guess after solving are found", async () => {
  const audit = await fairGame();
  audit.events[3].number = 2;
  assert.deepEqual(await wrong(audit), ["count ann"]);
});

test("a guess at midnight is found", async () => {
  const audit = await fairGame();
  audit.events[3].at = "2026-03-09T04:00:00Z";
  assert.deepEqual(await wrong(audit), ["times "]);
});

test("a wrong result is found for both", async () => {
  const audit = await fairGame();
  for (const score of audit.events.at(-1).scores) score.outcome = "draw";
  assert.deepEqual(await wrong(audit), ["result ann", "result bob"]);
});

test("who never set a word has nothing to show", async () => {
  const audit = await fairGame();
  Object.assign(audit, { secrets: { ann: "crane", bob: null }, salts: { ann: SALT, bob: null } });
  audit.commitments.bob = null;
  audit.events = [
    audit.events[0],
    audit.events[2],
    { type: "ended", scores: audit.players.map(({ id }) => ({ player: id, outcome: "not_counted" })) },
  ];
  assert.deepEqual(await wrong(audit), []);
});

test("only solving counts, then fewer guesses", () => {
  const [solved, missed] = [["IIIII", "CCCCC"], ["IIIII"]];
  assert.equal(outcome(solved, missed), "win");
  assert.equal(outcome(missed, solved), "loss");
  assert.equal(outcome(["CCCCC"], solved), "win");
  assert.equal(outcome(solved, solved), "draw");
  assert.equal(outcome(missed, missed), "none");
  assert.equal(outcome([], []), "not_counted");
});

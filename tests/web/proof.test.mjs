import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { proven } from "../../services/api/web/app/proof.js";

const salt = "000102030405060708090a0b0c0d0e0f";
const commitment = createHash("sha256").update(Buffer.from(salt, "hex")).update("crepe").digest("hex");
const proof = { day: "2026-03-08", word: "crepe", salt, commitment, announced_at: "2026-03-01T05:00:00Z" };
const guesses = [
  { word: "eerie", marks: "RIRIC" },
  { word: "crepe", marks: "CCCCC" },
];
const told = (done) => done.map(({ kind, ok }) => `${kind} ${ok}`);

test("an honest day holds", async () =>
  assert.deepEqual(told(await proven(proof, guesses)), ["commitment true", "announced true", "marks true", "marks true"]));

test("another word or salt does not fit the commitment", async () => {
  for (const forged of [{ word: "crape" }, { salt: salt.replace("0f", "0e") }, { commitment: commitment.replace(/^./, "x") }]) {
    assert.equal((await proven({ ...proof, ...forged }, []))[0].ok, false);
  }
});

test("a guess that was marked wrong is found", async () => {
  const wrong = [{ word: "eerie", marks: "RRRIC" }];
  assert.deepEqual((await proven(proof, wrong))[2], {
    kind: "marks",
    ok: false,
    number: 1,
    word: "eerie",
    marks: "RRRIC",
    right: "RIRIC",
  });
});

test("what was announced when its day had begun is told as late", async () => {
  const kinds = async (announced_at) => (await proven({ ...proof, announced_at }, []))[1].kind;
  assert.equal(await kinds("2026-03-08T04:59:59Z"), "announced");
  assert.equal(await kinds("2026-03-08T05:00:00Z"), "late");
});

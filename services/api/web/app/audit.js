/** Checking an ended duel without trusting the server: commitments, every mark, the order of guesses and the result. */

import { mark } from "./marks.js";

const GUESSES = 6;
const SOLVED = "CCCCC";

/** SHA-256 over the salt's bytes and then the word in ASCII, as hexadecimal digits. `crypto` is the browser's. */
export async function commitTo(word, salt, crypto) {
  const bytes = new Uint8Array([...fromHex(salt), ...new TextEncoder().encode(word)]);
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Every check of an audit, in the order of the game: `{kind, ok, ...facts}`. Names are left to the page. */
export async function checks(audit, crypto = globalThis.crypto) {
  const sides = audit.players.map(({ id }) => id);
  const done = [];
  for (const player of sides) done.push(await commitment(audit, player, crypto));
  for (const player of sides) done.push(...marksOf(audit, player, sides));
  done.push(...sides.map((player) => countOf(audit, player)), times(audit), ...results(audit, sides));
  return done;
}

async function commitment(audit, player, crypto) {
  const [word, salt, commitment] = [audit.secrets[player], audit.salts[player], audit.commitments[player]];
  if (!word) return { kind: "no_secret", ok: !commitment, player };
  const made = audit.events.find((event) => event.type === "secret_set" && event.by === player);
  const ok =
    made?.word === word &&
    made.commitment === commitment &&
    (await commitTo(word, salt, crypto)) === commitment;
  return { kind: "commitment", ok, player, word, salt, commitment };
}

function marksOf(audit, player, sides) {
  const secret = audit.secrets[sides.find((side) => side !== player)];
  return guessesOf(audit, player).map(({ number, word, marks, at }) => {
    const right = secret ? mark(word, secret) : null;
    return { kind: "marks", ok: marks === right, player, number, word, marks, right, at };
  });
}

function countOf(audit, player) {
  const guesses = guessesOf(audit, player);
  const numbered = guesses.every(({ number }, index) => number === index + 1);
  const early = guesses.slice(0, -1).some(({ marks }) => marks === SOLVED);
  return {
    kind: "count",
    ok: numbered && !early && guesses.length <= GUESSES,
    player,
    count: guesses.length,
  };
}

function times(audit) {
  const closes = Date.parse(audit.events.find((event) => event.type === "started")?.closes_at);
  const guesses = audit.events.filter((event) => event.type === "guessed");
  return { kind: "times", ok: guesses.every(({ at }) => Date.parse(at) < closes) };
}

function results(audit, sides) {
  const ended = audit.events.find((event) => event.type === "ended");
  const [first, second] = sides.map((player) => rows(audit, player));
  const right = [outcome(first, second), outcome(second, first)];
  return sides.map((player, index) => {
    const said = ended?.scores.find((score) => score.player === player)?.outcome;
    return { kind: "result", ok: said === right[index], player, outcome: said, right: right[index] };
  });
}

/** What the end means for the player with the first rows of marks: only solving counts, then fewer guesses. */
export function outcome(own, other) {
  if (own.length === 0 && other.length === 0) return "not_counted";
  const [mine, theirs] = [own.at(-1) === SOLVED, other.at(-1) === SOLVED];
  if (!mine && !theirs) return "none";
  if (mine && theirs && own.length === other.length) return "draw";
  return mine && (!theirs || own.length < other.length) ? "win" : "loss";
}

const guessesOf = (audit, player) =>
  audit.events.filter((event) => event.type === "guessed" && event.by === player);

const rows = (audit, player) => guessesOf(audit, player).map(({ marks }) => marks);

const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

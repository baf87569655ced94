/** Checking a day's word without trusting the server: what was published before the day, and the own guesses. */

import { commitTo } from "./audit.js";
import { closeOf, shifted } from "./eastern.js";
import { mark } from "./marks.js";

/**
 * Every check of a day that is over: `{kind, ok, ...facts}`. `proof` is the API's; `guesses` are the own ones of that
 * day. A day that was announced late is told as such, and is no fault: the service was new then.
 */
export async function proven(proof, guesses, crypto = globalThis.crypto) {
  const { day, word, salt, commitment, announced_at } = proof;
  const fits = (await commitTo(word, salt, crypto)) === commitment;
  const late = Date.parse(announced_at) >= closeOf(shifted(day, -1));
  return [
    { kind: "commitment", ok: fits, day, word, salt, commitment },
    { kind: late ? "late" : "announced", ok: true, at: announced_at },
    ...guesses.map(({ word: guess, marks }, index) => {
      const right = mark(guess, word);
      return { kind: "marks", ok: marks === right, number: index + 1, word: guess, marks, right };
    }),
  ];
}

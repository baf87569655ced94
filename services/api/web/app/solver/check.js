/** What a board can be asked without the service: impossible rows, unknown guesses, and which words fit. */

import { mark } from "../marks.js";

/**
 * The first row that no game gives, with a gray tile left of a yellow one of the same letter: `{row, gray, yellow}`; or
 * null. Rows are `{row, guess, marks}` as `complete` gives them.
 */
export function impossible(rows) {
  for (const { row, guess, marks } of rows) {
    for (let gray = 0; gray < guess.length; gray += 1) {
      for (let yellow = gray + 1; yellow < guess.length; yellow += 1) {
        const same = guess[gray] === guess[yellow];
        if (same && marks[gray] === "I" && marks[yellow] === "R") return { row, gray, yellow };
      }
    }
  }
  return null;
}

/** Does the list have the word? It is in alphabetical order. */
export function has(list, word) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < word) low = middle + 1;
    else high = middle;
  }
  return list[low] === word;
}

/** The words that fit all rows whose guess is in the list. */
export function fitting(list, rows) {
  const known = rows.filter(({ guess }) => has(list, guess));
  return list.filter((word) => known.every(({ guess, marks }) => mark(guess, word) === marks));
}

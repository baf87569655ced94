/** Marking a guess in the browser: C right spot, R another spot, I not in the word (any more). */

export const SOLVED = "CCCCC";

/** The marks of a guess against a secret, both lower case: `mark("eerie", "crepe")` is `"RIRIC"`. */
export function mark(guess, secret) {
  const unspent = {};
  for (let tile = 0; tile < secret.length; tile += 1) {
    if (guess[tile] !== secret[tile]) unspent[secret[tile]] = (unspent[secret[tile]] ?? 0) + 1;
  }
  let row = "";
  for (let tile = 0; tile < guess.length; tile += 1) {
    if (guess[tile] === secret[tile]) {
      row += "C";
    } else if (unspent[guess[tile]] > 0) {
      unspent[guess[tile]] -= 1;
      row += "R";
    } else {
      row += "I";
    }
  }
  return row;
}

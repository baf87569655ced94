/** The keys of the screen keyboard, what each has shown so far, and what a real key means. */

export const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

const STRENGTH = { I: 0, R: 1, C: 2 };

/** The best mark each letter has had: `shown([{word: "eerie", marks: "RIRIC"}])` is `{e: "C", r: "R", i: "I"}`. */
export function shown(guesses) {
  const best = {};
  for (const { word, marks } of guesses) {
    for (let tile = 0; tile < word.length; tile += 1) {
      const [letter, mark] = [word[tile], marks[tile]];
      if (!(letter in best) || STRENGTH[mark] > STRENGTH[best[letter]]) best[letter] = mark;
    }
  }
  return best;
}

const NAMED = { Enter: "enter", Backspace: "erase", Delete: "erase", ArrowLeft: "left", ArrowRight: "right" };

/** What a key of a real keyboard means: a lower-case letter A to Z, a name as in `NAMED`, or null. */
export function meaning({ key, ctrlKey, metaKey, altKey, isComposing }) {
  if (ctrlKey || metaKey || altKey || isComposing) return null;
  if (/^[a-zA-Z]$/.test(key)) return key.toLowerCase();
  return NAMED[key] ?? null;
}

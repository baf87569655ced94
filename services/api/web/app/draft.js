/** The guess being typed: five tiles and a place in them. Every function takes a draft and gives the next one. */

export const LENGTH = 5;
export const GUESSES = 6;

/** An empty draft; `at` is the tile that the next letter goes to, 5 when the row is full. */
export const blank = () => ({ letters: Array(LENGTH).fill(""), at: 0 });

/** A draft that already holds a word, with the place behind its last letter. */
export const holding = (word) => ({
  letters: Array.from({ length: LENGTH }, (_, i) => word[i] ?? ""),
  at: LENGTH,
});

/** The tile that was touched is the next to be written. */
export const pick = (draft, tile) => ({ ...draft, at: Math.min(Math.max(tile, 0), LENGTH - 1) });

/** One tile to the left (-1) or the right (1); the place behind the last tile counts as one. */
export const step = (draft, by) => ({ ...draft, at: Math.min(Math.max(draft.at + by, 0), LENGTH) });

/** A letter over the current tile, whatever stood there; behind the last tile nothing happens. */
export function type(draft, letter) {
  if (draft.at >= LENGTH) return draft;
  return { letters: draft.letters.with(draft.at, letter.toLowerCase()), at: draft.at + 1 };
}

/** The current tile's letter goes, or else the one before it. */
export function erase(draft) {
  const at = draft.letters[draft.at] ? draft.at : Math.max(draft.at - 1, 0);
  return { letters: draft.letters.with(at, ""), at };
}

/** The word, or null while a tile is empty. */
export const word = (draft) => (draft.letters.every(Boolean) ? draft.letters.join("") : null);

/** The guess being typed: five tiles and a place in them. Every function takes a draft and gives the next one. */

export const LENGTH = 5;
export const GUESSES = 6;

/**
 * An empty draft; `at` is the tile that the next letter goes to, 5 when the row is full, and `chosen` says that
 * somebody went to this tile on purpose, so that erasing means its own letter.
 */
export const blank = () => ({ letters: Array(LENGTH).fill(""), at: 0, chosen: false });

/** A draft that already holds a word, with the place behind its last letter. */
export const holding = (word) => ({ ...blank(), letters: [...word], at: LENGTH });

/** The tile that was touched is the next to be written. */
export const pick = (draft, tile) => ({ ...draft, at: between(tile, LENGTH - 1), chosen: true });

/** One tile to the left (-1) or the right (1); the place behind the last tile counts as one. */
export const step = (draft, by) => ({ ...draft, at: between(draft.at + by, LENGTH), chosen: true });

/** A letter over the current tile, whatever stood there; behind the last tile nothing happens. */
export function type(draft, letter) {
  if (draft.at >= LENGTH) return draft;
  return { letters: draft.letters.with(draft.at, letter.toLowerCase()), at: draft.at + 1, chosen: false };
}

/** The letter of a chosen tile goes, or else the one before the current place. */
export function erase(draft) {
  const own = draft.chosen && draft.letters[draft.at];
  const at = own ? draft.at : between(draft.at - 1, LENGTH);
  return { letters: draft.letters.with(at, ""), at, chosen: false };
}

/** The word, or null while a tile is empty. */
export const word = (draft) => (draft.letters.every(Boolean) ? draft.letters.join("") : null);

const between = (tile, last) => Math.min(Math.max(tile, 0), last);

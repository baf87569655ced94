/**
 * The solver's board as it is being entered: six rows of letters and marks, and a place in them.
 * Every function takes a board and gives the next one. Marks are C green, R yellow, I gray, "" none yet.
 */

import { GUESSES, LENGTH } from "../draft.js";

const TURN = { "": "R", I: "R", R: "C", C: "I" };

/** A row of nothing. In a `given` row the marks came first, so they stay when a letter goes. */
export const emptyRow = () => ({ letters: Array(LENGTH).fill(""), marks: Array(LENGTH).fill(""), given: false });

/**
 * `at` is the place that the next letter goes to, counted through all rows (30 is behind the last); `chosen` says that
 * somebody went there on purpose; `touched` is the place whose colour was turned last, which erasing means first.
 */
export const holding = (rows) => {
  const filled = [...rows.map(settled), ...Array.from({ length: GUESSES }, emptyRow)].slice(0, GUESSES);
  return { rows: filled, at: firstEmpty(filled), chosen: false, touched: null };
};

/** A letter without a mark is gray. */
const settled = ({ letters, marks, given }) => ({
  letters,
  marks: marks.map((mark, tile) => mark || (letters[tile] ? "I" : "")),
  given,
});

export const blank = () => holding([]);

export const rowOf = (place) => Math.floor(place / LENGTH);
export const tileOf = (place) => place % LENGTH;
const placeOf = (row, tile) => row * LENGTH + tile;

export const isBlank = ({ letters, marks }) => !letters.some(Boolean) && !marks.some(Boolean);
export const isComplete = ({ letters, marks }) => letters.every(Boolean) && marks.every(Boolean);

/** The rows that count: `{row, guess, marks}`, with the number of the row on the board. */
export const complete = ({ rows }) =>
  rows.flatMap(({ letters, marks }, row) =>
    isComplete({ letters, marks }) ? [{ row, guess: letters.join(""), marks: marks.join("") }] : [],
  );

/** How many rows are to be seen: all that hold something, and one more. */
export function seen({ rows, at }) {
  const used = rows.findLastIndex((row) => !isBlank(row)) + 1;
  return Math.min(Math.max(used + 1, rowOf(at) + 1), GUESSES);
}

/** A letter over the current place; a mark that is there stays. */
export function type(board, letter) {
  if (board.at >= GUESSES * LENGTH) return board;
  const [row, tile] = [rowOf(board.at), tileOf(board.at)];
  const rows = board.rows.with(row, lettered(board.rows, row, tile, letter.toLowerCase()));
  const at = tile + 1 < LENGTH ? board.at + 1 : firstEmpty(rows);
  return { rows, at, chosen: false, touched: null };
}

/** The letter that was touched or chosen goes, or else the one before the current place. */
export function erase(board) {
  const meant = [board.touched, board.chosen ? board.at : null].find((place) => hasLetter(board, place));
  const at = meant ?? Math.max(board.at - 1, 0);
  const [row, tile] = [rowOf(at), tileOf(at)];
  const { letters, marks, given } = board.rows[row];
  const kept = given ? marks : marks.with(tile, "");
  return {
    rows: board.rows.with(row, { letters: letters.with(tile, ""), marks: kept, given }),
    at,
    chosen: false,
    touched: null,
  };
}

/** One tile to the left or right (through the rows), or one row up or down. */
export function step(board, direction) {
  const by = { left: -1, right: 1, up: -LENGTH, down: LENGTH }[direction];
  const from = Math.min(board.at, GUESSES * LENGTH - 1);
  const last = seen(board) * LENGTH - 1;
  const to = from + by;
  return { ...board, at: to < 0 || to > last ? from : to, chosen: true, touched: null };
}

/** Go to a place without changing anything. */
export const go = (board, at) => ({ ...board, at, chosen: true, touched: null });

/** A tile was touched: gray, yellow, green, and gray again. An empty one becomes the place for the next letter. */
export function turn(board, place) {
  const mark = markAt(board, place);
  if (!hasLetter(board, place) && !mark) return go(board, place);
  return { ...marked(board, place, TURN[mark]), touched: place };
}

/** Give the current tile a mark, and go on to the next; an empty tile has none. */
export function give(board, mark) {
  if (!hasLetter(board, board.at) && !markAt(board, board.at)) return board;
  const next = marked(board, board.at, mark);
  const inRow = tileOf(board.at) + 1 < LENGTH;
  return { ...next, at: inRow ? board.at + 1 : firstEmpty(next.rows), chosen: inRow, touched: null };
}

/** Change two tiles' marks for each other. */
export function swap(board, one, other) {
  const mark = markAt(board, one);
  return marked(marked(board, one, markAt(board, other)), other, mark);
}

/** A word into the first row without letters; null if there is none. The place is then the row's first tile. */
export function put(board, word) {
  const row = board.rows.findIndex(({ letters }) => !letters.some(Boolean));
  if (row < 0) return null;
  const rows = [...word].reduce(
    (filled, letter, tile) => filled.with(row, lettered(filled, row, tile, letter)),
    board.rows,
  );
  return { rows, at: firstEmpty(rows), chosen: false, touched: null };
}

/** A row goes, and those below it move up. */
export const remove = (board, row) => holding(board.rows.toSpliced(row, 1));

/** The mark of a place, "" if it has none. */
export const markAt = ({ rows }, place) => rows[rowOf(place)]?.marks[tileOf(place)] ?? "";

const hasLetter = ({ rows }, place) => place !== null && Boolean(rows[rowOf(place)]?.letters[tileOf(place)]);

const marked = (board, place, mark) => {
  const row = board.rows[rowOf(place)];
  return {
    ...board,
    rows: board.rows.with(rowOf(place), { ...row, marks: row.marks.with(tileOf(place), mark) }),
  };
};

function lettered(rows, row, tile, letter) {
  const { letters, marks, given } = rows[row];
  const mark = marks[tile] || usual(rows, row, tile, letter);
  return { letters: letters.with(tile, letter), marks: marks.with(tile, mark), given };
}

/** What a letter gets before anybody says otherwise: green where an earlier row says so, else gray. */
const usual = (rows, row, tile, letter) =>
  rows.slice(0, row).some(({ letters, marks }) => letters[tile] === letter && marks[tile] === "C") ? "C" : "I";

/** The first place without a letter: 30 if there is none. */
function firstEmpty(rows) {
  const place = rows.flatMap(({ letters }) => letters).indexOf("");
  return place < 0 ? placeOf(GUESSES, 0) : place;
}

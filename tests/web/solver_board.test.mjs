import assert from "node:assert/strict";
import { test } from "node:test";
import * as boards from "../../services/api/web/app/solver/board.js";
import { written } from "../../services/api/web/app/solver/link.js";

const typed = (text, from = boards.blank()) => [...text].reduce(boards.type, from);
const turned = (places, from) => places.reduce(boards.turn, from);

test("letters fill the rows one after the other, gray at first", () =>
  assert.equal(written(typed("craneslat")), "CRANE.IIIII_SLAT-.IIII-"));

test("behind thirty letters nothing is typed", () => {
  const full = typed("crane".repeat(6));
  assert.equal(full.at, 30);
  assert.equal(boards.type(full, "x"), full);
});

test("a touched tile turns yellow, green and gray again, and typing goes on where it was", () => {
  const board = typed("crane");
  assert.equal(written(turned([1], board)), "CRANE.IRIII");
  assert.equal(written(turned([1, 1], board)), "CRANE.ICIII");
  assert.equal(written(turned([1, 1, 1], board)), "CRANE.IIIII");
  assert.equal(written(typed("s", turned([1], board))), "CRANE.IRIII_S----.I----");
});

test("touching an empty tile makes it the place for the next letter", () =>
  assert.equal(written(boards.type(boards.turn(boards.blank(), 2), "a")), "--A--.--I--"));

test("erasing takes the letter just typed, also from the row before", () => {
  assert.equal(written(boards.erase(typed("cra"))), "CR---.II---");
  assert.equal(written(boards.erase(typed("crane"))), "CRAN-.IIII-");
});

test("erasing takes a touched letter first; the next one is typed there", () => {
  const hole = boards.erase(boards.turn(typed("crane"), 1));
  assert.equal(written(hole), "C-ANE.I-III");
  assert.equal(written(boards.type(hole, "l")), "CLANE.IIIII");
});

test("erasing an empty board leaves it empty", () => {
  const board = boards.erase(boards.blank());
  assert.equal(written(board), "");
  assert.equal(board.at, 0);
});

test("steps go through the rows and stop at the edges of what is seen", () => {
  const board = typed("crane");
  assert.equal(board.at, 5);
  assert.equal(boards.step(board, "left").at, 4);
  assert.equal(boards.step(board, "up").at, 0);
  assert.equal(boards.step(board, "down").at, 5);
  assert.equal(boards.step(boards.blank(), "left").at, 0);
  assert.equal(boards.step(boards.blank(), "right").at, 1);
});

test("a chosen tile is typed over and keeps its mark", () => {
  const board = boards.step(boards.turn(typed("crane"), 4), "left");
  assert.equal(written(boards.type(board, "y")), "CRANY.IIIIR");
});

test("digits mark one tile after the other, and then the next empty one is next", () => {
  const up = boards.step(typed("crane"), "up");
  const board = ["C", "I", "R", "I", "I"].reduce(boards.give, up);
  assert.equal(written(board), "CRANE.CIRII");
  assert.equal(board.at, 5);
});

test("an empty tile takes no mark", () => {
  const board = boards.blank();
  assert.equal(boards.give(board, "C"), board);
});

test("a letter is green where an earlier row has it green", () => {
  const green = turned([0, 0], typed("crane"));
  assert.equal(written(typed("cling", green)), "CRANE.CIIII_CLING.CIIII");
  assert.equal(written(typed("slick", green)), "CRANE.CIIII_SLICK.IIIII");
});

test("a word goes into the first row without letters", () => {
  const board = boards.put(typed("crane"), "slate");
  assert.equal(written(board), "CRANE.IIIII_SLATE.IIIII");
  assert.equal(board.at, 10);
});

test("six rows have no room for a word", () => assert.equal(boards.put(typed("crane".repeat(6)), "slate"), null));

test("in a row of colours the letters change and the colours stay", () => {
  const colours = { letters: ["", "", "", "", ""], marks: ["C", "I", "R", "I", "I"], given: true };
  const board = typed("crane", boards.holding([colours]));
  assert.equal(written(board), "CRANE.CIRII");
  assert.equal(written(boards.type(boards.erase(board), "y")), "CRANY.CIRII");
  assert.equal(written(boards.put(boards.holding([colours]), "slate")), "SLATE.CIRII");
});

test("deleting a row moves the rest up", () =>
  assert.equal(written(boards.remove(typed("craneslate"), 0)), "SLATE.IIIII"));

test("two tiles change their marks for each other", () =>
  assert.equal(written(boards.swap(turned([1], typed("eerie")), 0, 1)), "EERIE.RIIII"));

test("rows count once they are complete, by their number on the board", () => {
  const board = boards.step(boards.step(typed("crane"), "right"), "right");
  const later = { ...board, rows: board.rows.with(2, board.rows[0]) };
  assert.deepEqual(boards.complete(later), [
    { row: 0, guess: "crane", marks: "IIIII" },
    { row: 2, guess: "crane", marks: "IIIII" },
  ]);
  assert.deepEqual(boards.complete(typed("cran")), []);
});

test("one row more than used is to be seen, and never more than six", () => {
  assert.equal(boards.seen(boards.blank()), 1);
  assert.equal(boards.seen(typed("crane")), 2);
  assert.equal(boards.seen(typed("crane".repeat(6))), 6);
});

test("a board is never changed in place", () => {
  const before = typed("crane");
  turned([0, 1], before);
  boards.erase(before);
  boards.give(boards.step(before, "up"), "C");
  assert.deepEqual(before, typed("crane"));
});

"""The solver's board: its checks, what a word must satisfy to fit it, and the answer about it.

Rows and tiles count from 0. Words are lower case and marks upper case, once a board has been checked.
"""

from collections.abc import Sequence
from itertools import combinations
from string import ascii_letters
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from libs.core.marks import LENGTH, letters, mark
from libs.core.refusals import Reason, Refused
from libs.core.solver_query import compile_rows, is_possible

ROWS = 6

_LOWER = str.maketrans({letter: letter.lower() for letter in ascii_letters})
_UPPER = str.maketrans({letter: letter.upper() for letter in ascii_letters})


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One guess and its marks: C green, R yellow, I gray."""

    guess: str
    marks: str


class Candidate(Struct, frozen=True):
    """A word that can still be the answer, and how many words would still be possible on average after guessing it."""

    word: str
    left: float  # one decimal


class Splitter(Struct, frozen=True):
    """A word that cannot be the answer and tells more than those that can: no guess for those who play in hard mode."""

    word: str
    left: float  # one decimal
    hard_mode: bool = False


class Answer(Struct, frozen=True, kw_only=True):
    """What the solver says about a board.

    `candidates` are the best of the `count` words that fit, best first. `left_out` are rows whose guess is not in the
    list: they were not counted. `conflict` is a smallest set of rows that no string of letters fits together. `trap` is
    there only if it is true: no candidate tells much. `splitters` are there only if they were asked for.
    """

    status: Literal["ok", "contradiction", "no_word"]
    left_out: tuple[int, ...] = ()
    count: int = 0
    candidates: tuple[Candidate, ...] = ()
    conflict: tuple[int, ...] | None = None
    trap: bool | UnsetType = UNSET
    splitters: tuple[Splitter, ...] | UnsetType = UNSET


def check(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows as they were meant: blanks and tabs around dropped, A to Z folded.

    Raises `Refused` for the first fault: more than six rows before all else (board_refused), then row by row its guess,
    its marks (board_refused), and a letter that is gray left of where it is yellow (board_impossible).
    """
    if len(rows) > ROWS:
        raise Refused(Reason.BOARD_REFUSED, fault="rows", row=ROWS, tile=None)
    return tuple(_check_row(number, row) for number, row in enumerate(rows))


def check_answer(rows: Sequence[Row], answer: str) -> str:
    """The word that was to be found, as it was meant, for checked rows.

    Raises `Refused` (answer_refused) if it is not five letters (row: null), or with the first row that it does not fit.
    """
    try:
        word = letters(answer)
    except Refused:
        raise Refused(Reason.ANSWER_REFUSED, row=None) from None
    for number, row in enumerate(rows):
        if mark(row.guess, word) != row.marks:
            raise Refused(Reason.ANSWER_REFUSED, row=number)
    return word


def conflict(rows: Sequence[Row]) -> tuple[int, ...] | None:
    """A smallest set of checked rows that no string of five letters fits together; none if one fits them all."""
    if is_possible(compile_rows(rows)):
        return None
    numbers = range(len(rows))
    sets = (chosen for size in range(1, len(rows)) for chosen in combinations(numbers, size))
    return next(
        (chosen for chosen in sets if not is_possible(compile_rows([rows[number] for number in chosen]))),
        tuple(numbers),
    )


def _check_row(number: int, row: Row) -> Row:
    guess = row.guess.strip(" \t").translate(_LOWER)
    marks = row.marks.strip(" \t").translate(_UPPER)
    for fault, text, alphabet in (("guess", guess, ascii_letters), ("marks", marks, "CRI")):
        if (tile := _first_fault(text, alphabet)) is not None:
            raise Refused(Reason.BOARD_REFUSED, fault=fault, row=number, tile=tile)
    for gray in range(LENGTH):
        for later in range(gray + 1, LENGTH):
            # A game gives yellow from left to right, so a gray says that no yellow of its letter can follow.
            if guess[gray] == guess[later] and (marks[gray], marks[later]) == ("I", "R"):
                raise Refused(Reason.BOARD_IMPOSSIBLE, row=number, tiles=(gray, later))
    return Row(guess, marks)


def _first_fault(text: str, alphabet: str) -> int | None:
    for tile in range(LENGTH):
        if tile >= len(text) or text[tile] not in alphabet:
            return tile
    return LENGTH if len(text) > LENGTH else None

"""Looking back on a board: how well each guess was chosen, and how lucky it was. Both from 0 to 100."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from libs.core.board import Candidate
from libs.core.marks import SOLVED, number

EVEN = 50


class ReviewedRow(Struct, frozen=True, kw_only=True):
    """One row, looked back on."""

    guess: str
    marks: str
    before: int  # words that were possible
    left: int  # words that are possible after it
    expected: float  # what it leaves on average, one decimal
    best: Candidate  # what the solver would have guessed, and what that leaves on average
    best_left: int | None  # what that would have left here; none where the answer is not known
    skill: int
    luck: int


class Review(Struct, frozen=True, kw_only=True):
    """All rows of a board, looked back on; none where no word fits them all, with `conflict` as in a board's answer."""

    status: Literal["ok", "contradiction", "no_word"]
    rows: tuple[ReviewedRow, ...] = ()
    conflict: tuple[int, ...] | None = None


def skill(told: int, best: int, can_be: bool) -> int:
    """The information of a guess in hundredths of that of the best word that can be the answer; at most 100.

    Where nothing is left to be told (`best` is 0) there is one word, and all depends on whether the guess `can_be` it.
    """
    if best <= 0:
        return 100 if can_be else 0
    return min(100, (200 * told + best) // (2 * best))


def luck(groups: Sequence[int], marks: str) -> int:
    """In how many of a hundred cases the guess would have left more words than it did; a case that equals it is half.

    `groups` are the numbers of words by the number of the marks they would have given. To have found the word counts as
    leaving none.
    """
    left = [0 if group == number(SOLVED) else count for group, count in enumerate(groups)]
    mine = left[number(marks)]
    words = sum(groups)
    more = sum(count for count, other in zip(groups, left, strict=True) if other > mine)
    same = sum(count for count, other in zip(groups, left, strict=True) if other == mine)
    return (200 * more + 100 * same + words) // (2 * words) if words else EVEN

"""A leaderboard that lacks one's own row: where it comes in, and who stands lower by it."""

from datetime import UTC, datetime

import pytest

from services.api.daily_standing import Entry, Placed, joined

START = Entry("", 0, -1, datetime(2026, 1, 1, tzinfo=UTC), "")


def entry(owner: str, guesses: int, elapsed_ms: int, second: int = 0) -> Entry:
    return Entry(owner, guesses, elapsed_ms, datetime(2026, 5, 1, 12, 0, second, tzinfo=UTC), owner)


FIRST, SECOND, LAST = entry("first", 2, 500), entry("second", 3, 700, second=10), entry("last", 4, 100)
BOARD = [Placed(1, FIRST), Placed(2, SECOND), Placed(3, LAST)]


@pytest.mark.parametrize(
    ("own", "place", "right"),
    [
        (entry("own", 1, 0), 1, [(1, "own"), (2, "first"), (3, "second"), (4, "last")]),
        (entry("own", 3, 700, second=9), 2, [(1, "first"), (2, "own"), (2, "second"), (4, "last")]),
        (entry("own", 3, 700, second=11), 2, [(1, "first"), (2, "second"), (2, "own"), (4, "last")]),
        (entry("own", 4, 101), 4, [(1, "first"), (2, "second"), (3, "last"), (4, "own")]),
    ],
)
def test_the_own_row_stands_where_its_score_belongs(own: Entry, place: int, right: list[tuple[int, str]]) -> None:
    found = joined(BOARD, Placed(place, own), START, goes_on=False)
    assert [(one.place, one.entry.owner) for one in found] == right


def test_an_own_row_of_a_later_page_is_not_on_this_one() -> None:
    assert joined(BOARD, Placed(4, entry("own", 5, 0)), START, goes_on=True) == BOARD


def test_an_own_row_of_an_earlier_page_moves_this_one_down() -> None:
    found = joined(BOARD[1:], Placed(1, entry("own", 1, 0)), FIRST, goes_on=False)
    assert [(one.place, one.entry.owner) for one in found] == [(3, "second"), (4, "last")]


def test_a_board_of_nobody_has_the_own_row() -> None:
    own = Placed(1, entry("own", 6, 9))
    assert joined([], own, START, goes_on=False) == [own]

"""Looking back on a board: what was left, what would have been, and what was skill and what luck."""

import pytest

from libs.core.board import Candidate, Row
from libs.core.marks import SOLVED, mark, number
from libs.core.refusals import Refused
from libs.core.solver_review import ReviewedRow, luck, skill
from services.solver.review import Reviewer
from tests.services.solver import solvers
from tests.services.solver.solvers import LETTERS


@pytest.fixture(scope="module")
def reviewer() -> Reviewer:
    """A reviewer over the whole list."""
    return solvers.reviewer("numpy")()


def game(secret: str, *guesses: str) -> list[Row]:
    return [Row(guess, mark(guess, secret)) for guess in guesses]


def groups(**counts: int) -> list[int]:
    found = [0] * 243
    for row, count in counts.items():
        found[number(row)] = count
    return found


def test_each_row_says_what_it_left_and_what_the_best_word_would_have(reviewer: Reviewer) -> None:
    review = reviewer.review(game("flack", "house", "train", "flack"))
    assert review.status == "ok"
    first, second, last = review.rows
    assert first == ReviewedRow(
        guess="house",
        marks="IIIII",
        before=8636,
        left=799,
        expected=464.4,
        best=Candidate("tares", 195.9),
        best_left=349,
        skill=82,
        luck=36,
    )
    assert (second.best, second.skill, second.left) == (Candidate("train", 25.0), 100, 21)
    assert second.left == second.best_left == last.before
    assert last.left == 1


def test_the_answer_may_be_told(reviewer: Reviewer) -> None:
    rows = game("flack", "house")
    assert [row.best_left for row in reviewer.review(rows).rows] == [None]
    assert [row.best_left for row in reviewer.review(rows, "flack").rows] == [349]


def test_a_guess_that_is_no_word_of_the_list_counts_as_any(reviewer: Reviewer) -> None:
    assert "vlogs" not in LETTERS.ids
    row = reviewer.review(game("gnaws", "vlogs")).rows[0]
    assert row.left == sum(mark("vlogs", word) == row.marks for word in LETTERS.words)
    assert 0 < row.skill < 100


def test_a_second_look_at_a_found_word_tells_nothing(reviewer: Reviewer) -> None:
    *_, again = reviewer.review(game("crane", "crane", "crane")).rows
    assert (again.before, again.left, again.skill, again.luck) == (1, 1, 100, 50)


def test_a_board_without_rows_has_nothing_to_look_back_on(reviewer: Reviewer) -> None:
    assert reviewer.review([]).rows == ()


def test_a_board_that_cannot_be_is_said_to_be_so(reviewer: Reviewer) -> None:
    contradiction = reviewer.review([Row("might", "IIIII"), Row("crane", "CIIII"), Row("could", "IIIII")])
    assert (contradiction.status, contradiction.conflict, contradiction.rows) == ("contradiction", (1, 2), ())
    assert reviewer.review([Row("crane", "RRRRR")]).status == "no_word"
    with pytest.raises(Refused):
        reviewer.review([Row("crane", "IIII")])


def test_nothing_is_said_where_the_answer_is_not_in_the_list(reviewer: Reviewer) -> None:
    assert reviewer.review(game("vlogs", "crane")).status == "ok"
    assert reviewer.review(game("vlogs", "crane"), "vlogs").status == "no_word"
    assert reviewer.review(game("vlogs", "crane", "vlogs")).status == "no_word"


@pytest.mark.parametrize(
    ("told", "best", "can_be", "score"),
    [
        (0, 8, True, 0),
        (4, 8, False, 50),
        (8, 8, True, 100),
        (9, 8, False, 100),
        (1, 8, True, 13),
        (0, 0, True, 100),
        (0, 0, False, 0),
    ],
)
def test_skill_is_the_share_of_what_the_best_word_tells(told: int, best: int, can_be: bool, score: int) -> None:
    assert skill(told, best, can_be) == score


def test_luck_is_how_many_other_cases_would_have_left_more() -> None:
    found = groups(IIIII=6, RIIII=3, CCCCC=1)
    assert luck(found, SOLVED) == 95  # nine cases leave more, one as many
    assert luck(found, "RIIII") == 75  # six leave more, three as many
    assert luck(found, "IIIII") == 30
    assert luck(groups(CCCCC=1), SOLVED) == 50


def test_to_find_the_word_is_luckier_than_to_leave_one_other() -> None:
    found = groups(IIIII=1, CCCCC=1)
    assert (luck(found, SOLVED), luck(found, "IIIII")) == (75, 25)

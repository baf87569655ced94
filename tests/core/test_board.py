"""Boards: every fault with its place, contradictions by brute force, and the compiled query against plain marking."""

import json
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from libs.core import board, lexicon
from libs.core.board import Row
from libs.core.marks import mark
from libs.core.refusals import Reason, Refused
from libs.core.solver_query import candidates, compile_rows, fits, is_possible

BOARDS = json.loads((Path(__file__).parents[1] / "vectors" / "solver_boards.json").read_text())["boards"]
WORDS = lexicon.words(lexicon.newest().edition, "enable5")

# From three letters, so that they repeat and meet.
small = st.text(alphabet="abc", min_size=5, max_size=5)
rows_of_small = st.lists(st.builds(Row, small, st.text(alphabet="CRI", min_size=5, max_size=5)), min_size=1, max_size=4)
ALL_SMALL = ["".join(letters) for letters in product("abcd", repeat=5)]  # d stands for all letters that no row has


def refusal(*rows: tuple[str, str]) -> tuple[Reason, dict[str, Any]]:
    with pytest.raises(Refused) as caught:
        board.check([Row(*row) for row in rows])
    return caught.value.reason, caught.value.facts


def agreeing(rows: Sequence[Row], words: Sequence[str]) -> list[str]:
    return [word for word in words if all(mark(row.guess, word) == row.marks for row in rows)]


def is_taken(rows: Sequence[Row]) -> bool:
    try:
        board.check(rows)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("case", [case for case in BOARDS if case["expect"]["status"] in ("refused", "impossible")])
def test_a_faulty_board_is_refused_with_its_place(case: dict[str, Any]) -> None:
    reason, facts = refusal(*((row["guess"], row["marks"]) for row in case["board"]))
    expect = case["expect"]
    if expect["status"] == "refused":
        assert reason is Reason.BOARD_REFUSED
        assert facts == {name: expect[name] for name in ("fault", "row", "tile")}
    else:
        assert reason is Reason.BOARD_IMPOSSIBLE
        assert facts == {"row": expect["row"], "tiles": tuple(expect["tiles"])}


@pytest.mark.parametrize(
    ("guess", "marks", "fault", "tile"),
    [
        ("", "", "guess", 0),
        ("cr\u0430ne", "IIIII", "guess", 2),  # Cyrillic a
        ("\uff43rane", "IIIII", "guess", 0),
        ("cra\u0308ne", "IIIII", "guess", 3),
        ("v\u0131sit", "IIIII", "guess", 1),  # dotless i, whose capital is I
        ("crane\n", "IIIII", "guess", 5),
        ("crane", "I\u0131III", "marks", 1),
        ("crane", "\u0421IIII", "marks", 0),  # Cyrillic es
        ("crane", "green", "marks", 0),
        ("crane", "\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9\U0001f7e9", "marks", 0),
        ("crane", "IIIII" * 3000, "marks", 5),
    ],
)
def test_only_letters_and_marks_of_ascii_are_taken(guess: str, marks: str, fault: str, tile: int) -> None:
    assert refusal((guess, marks)) == (Reason.BOARD_REFUSED, {"fault": fault, "row": 0, "tile": tile})


def test_too_many_rows_are_told_before_all_else() -> None:
    assert refusal(*[("?", "?")] * 1000) == (Reason.BOARD_REFUSED, {"fault": "rows", "row": 6, "tile": None})


def test_a_board_is_folded_and_trimmed() -> None:
    assert board.check([Row(" CrAnE\t", "\tciRIc ")]) == (Row("crane", "CIRIC"),)


@pytest.mark.parametrize("case", [case for case in BOARDS if "count" in case["expect"]])
def test_the_vectors_by_the_query_alone(case: dict[str, Any]) -> None:
    expect = case["expect"]
    rows = board.check([Row(**row) for row in case["board"]])
    known = [number for number, row in enumerate(rows) if row.guess in WORDS]
    counted = [rows[number] for number in known]
    assert [number for number in range(len(rows)) if number not in known] == expect["left_out"]
    assert len(list(candidates(compile_rows(counted), WORDS))) == expect["count"]
    found = board.conflict(counted)
    assert (found is not None) == (expect["status"] == "contradiction")
    assert found is None or [known[number] for number in found] in expect["conflicts"]


@settings(deadline=None)
@given(rows_of_small)
def test_a_word_fits_exactly_if_every_guess_would_be_marked_so(rows: list[Row]) -> None:
    assume(is_taken(rows))
    query = compile_rows(rows)
    assert [word for word in ALL_SMALL if fits(query, word)] == agreeing(rows, ALL_SMALL)


@settings(max_examples=50, deadline=None)
@given(rows_of_small)
def test_a_conflict_is_a_smallest_set_that_no_string_fits(rows: list[Row]) -> None:
    assume(is_taken(rows))
    impossible = [
        chosen
        for size in range(1, len(rows) + 1)
        for chosen in combinations(range(len(rows)), size)
        if not agreeing([rows[number] for number in chosen], ALL_SMALL)
    ]
    assert board.conflict(rows) == (impossible[0] if impossible else None)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(WORDS), st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
def test_a_game_leaves_the_words_that_would_have_been_marked_so(secret: str, guesses: list[str]) -> None:
    rows = [Row(guess, mark(guess, secret)) for guess in guesses]
    query = compile_rows(rows)
    assert is_possible(query)
    assert list(candidates(query, WORDS)) == agreeing(rows, WORDS)

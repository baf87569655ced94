"""Answers: all vectors on both kernels, whatever the order of rows, and what is kept of them."""

import json
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from libs.core import lexicon
from libs.core.board import Row
from libs.core.marks import from_number
from libs.core.refusals import Refused
from libs.core.solver_openings import openings
from libs.core.solver_query import compile_rows
from services.solver.answers import MANY, Solver
from services.solver.kept import Found, Kept
from services.solver.matrix import build
from services.solver.openings import work_out
from services.solver.rank import Ranking, candidates, rank
from tests.services.solver import solvers
from tests.services.solver.solvers import KERNELS, LETTERS

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "solver_boards.json").read_text())
ANSWERED = [case for case in VECTORS["boards"] if "count" in case["expect"]]
EVERY = len(LETTERS.words)


@pytest.fixture(scope="module", params=KERNELS)
def on_each(request: pytest.FixtureRequest) -> Solver:
    """A solver on each kernel; the one in C is left out where there is no compiler."""
    return solvers.or_skip(solvers.solver, request.param)


@pytest.fixture
def solver() -> Solver:
    """A solver that has answered nothing yet."""
    return solvers.solver("numpy")


def board(*rows: str) -> list[Row]:
    """Rows written as «crane IICCI»."""
    return [Row(*row.split()) for row in rows]


def digest(ranked: list[tuple[str, float]]) -> str:
    return sha256("".join(f"{word} {left:.1f}\n" for word, left in ranked).encode()).hexdigest()


@pytest.mark.parametrize("case", ANSWERED, ids=[case["name"] for case in ANSWERED])
def test_the_vectors(on_each: Solver, case: dict[str, Any]) -> None:
    expect = case["expect"]
    answer = on_each.answer([Row(**row) for row in case["board"]], limit=EVERY)
    assert (answer.status, answer.count) == (expect["status"], expect["count"])
    assert list(answer.left_out) == expect["left_out"]
    told = [(candidate.word, candidate.left) for candidate in answer.candidates]
    assert [{"word": word, "left": f"{left:.1f}"} for word, left in told[:10]] == expect["first"]
    if expect["status"] == "contradiction":
        assert answer.conflict is not None
        assert list(answer.conflict) in expect["conflicts"]
    else:
        assert answer.conflict is None
    if expect["status"] == "ok" and expect["count"] < EVERY:
        assert len(told) == answer.count
        assert digest(told) == expect["order_sha256"]


def test_the_order_of_all_words(on_each: Solver) -> None:
    ranking = rank(on_each.kernel, LETTERS.everything(), LETTERS.everything())
    told = candidates(LETTERS, ranking, EVERY)
    assert digest([(found.word, found.left) for found in told]) == ANSWERED[0]["expect"]["order_sha256"]


def test_the_openings_that_are_shipped_are_those_of_the_list(on_each: Solver) -> None:
    shipped = openings(lexicon.newest().edition)
    assert shipped == work_out(LETTERS, on_each.kernel)
    assert [{"word": found.word, "left": f"{found.left:.1f}"} for found in shipped.openings] == VECTORS["openings"]


def test_the_query_finds_the_words_of_thousands_of_boards() -> None:
    marks = build(LETTERS)
    draw = np.random.default_rng(1)
    for _ in range(3000):
        secret = draw.integers(EVERY)
        guesses = draw.integers(EVERY, size=draw.integers(1, 5))
        numbers = marks[guesses, secret]
        rows = [
            Row(LETTERS.words[guess], from_number(number))
            for guess, number in zip(guesses.tolist(), numbers.tolist(), strict=True)
        ]
        plain = (marks[guesses] == numbers[:, None]).all(axis=0).nonzero()[0]
        assert LETTERS.standing(compile_rows(rows)).tolist() == plain.tolist()


@pytest.mark.parametrize("rows", [["xylyl IIIII"], ["pound IIIII"], ["xylyl IIIII", "fuzzy IIIII"]])
def test_the_best_of_many_words_are_the_first_of_all(on_each: Solver, rows: list[str]) -> None:
    few = on_each.answer(board(*rows))
    everything = on_each.answer(board(*rows), limit=EVERY)
    assert few.count == len(everything.candidates) > MANY
    assert few.candidates == everything.candidates[:50]
    assert few.trap == everything.trap


def test_at_most_so_many_are_told(solver: Solver) -> None:
    rows = board("house IIIII")
    assert len(solver.answer(rows).candidates) == 50
    assert len(solver.answer(rows, limit=3).candidates) == 3
    assert solver.answer(rows, limit=0).count == 799


def test_a_board_is_one_whatever_the_order_of_its_rows(solver: Solver) -> None:
    rows = board("crane IICCI", "slate IICII", "audio RIIRC")
    first = solver.ask(rows)
    assert solver.known(first.key) is None
    found = solver.find(first.key)
    for order in permutations([*rows, rows[0]]):
        assert solver.known(solver.ask(order).key) is found


def test_a_conflict_is_told_by_the_numbers_of_whoever_asks(solver: Solver) -> None:
    green, gray, other = board("crane CIIII", "could IIIII", "might IIIII")
    assert solver.answer([green, other, gray]).conflict == (0, 2)
    assert solver.answer([other, gray, green]).conflict == (1, 2)
    assert solver.answer([*board("zzzzz IIIII"), other, other, gray, green]).conflict == (3, 4)


def test_what_is_kept_is_bounded_by_its_words() -> None:
    answers = Kept(most=1000)
    found = Found("ok", 200, Ranking(np.arange(200, dtype=np.uint16), np.zeros(200, np.uint32)))
    for number in range(100):
        answers.put(frozenset(board(f"{LETTERS.words[number]} IIIII")), found)
        assert answers.words <= 1000
    newest, oldest = (frozenset(board(f"{LETTERS.words[number]} IIIII")) for number in (99, 0))
    assert answers.get(newest, 50) is found
    assert answers.get(oldest, 50) is None


def test_a_faulty_board_is_refused_and_not_kept(solver: Solver) -> None:
    with pytest.raises(Refused):
        solver.answer(board("eerie IRIII"))
    assert solver._kept.words == 0


def test_rhymes_are_a_trap_and_splitters_the_way_out(on_each: Solver) -> None:
    answer = on_each.answer(board("aitch RICCC"), split=True)
    assert answer.trap is True
    assert {candidate.left for candidate in answer.candidates} == {7.2}
    first = answer.splitters[0] if answer.splitters else None
    assert first is not None
    assert (first.word, first.left, first.hard_mode) == ("blawn", 3.2, False)
    assert not {splitter.word for splitter in answer.splitters or ()} & {found.word for found in answer.candidates}


@pytest.mark.parametrize("rows", [[], ["house IIIII"], ["crane CCCCC"], ["slate IIIII", "mount IIIII"]])
def test_other_boards_are_no_traps(solver: Solver, rows: list[str]) -> None:
    assert not solver.answer(board(*rows)).trap


def test_an_answer_has_only_the_fields_that_say_something(solver: Solver) -> None:
    assert msgspec.to_builtins(solver.answer(board("crane CCCCC"))) == {
        "status": "ok",
        "left_out": (),
        "count": 1,
        "candidates": ({"word": "crane", "left": 1.0},),
        "conflict": None,
    }

"""The best of many words: what is ruled out unseen is never among them."""

import numpy as np
import pytest

from libs.core.board import Row
from libs.core.solver_query import compile_rows
from services.solver.best import SLACK, Best
from services.solver.letters import Ids
from services.solver.rank import Kernel, rank, table
from tests.services.solver import solvers
from tests.services.solver.solvers import KERNELS, LETTERS

ROWS = (
    "qqqqq IIIII", "xylyl IIIII", "pound IIIII", "house IIIII", "eerie IIIIC", "mamma CIIII", "slate IICIC",
    "aitch RICCC", "crane CCCCC",
)  # fmt: skip


@pytest.fixture(scope="module", params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> Kernel:
    """Each kernel; the one in C is left out where there is no compiler."""
    return solvers.or_skip(solvers.kernel, request.param)


def standing(row: str) -> Ids:
    return LETTERS.standing(compile_rows([Row(*row.split())]))


@pytest.mark.parametrize("count", [1, 50])
@pytest.mark.parametrize("row", ROWS)
def test_they_are_the_first_of_the_ranking(kernel: Kernel, row: str, count: int) -> None:
    words = standing(row)
    ranking, best = rank(kernel, words, words), Best(kernel, LETTERS).of(words, count)
    assert best.guesses.tolist() == ranking.guesses[:count].tolist()
    assert best.tenths.tolist() == ranking.tenths[:count].tolist()


def test_any_words_have_their_best(kernel: Kernel) -> None:
    draw = np.random.default_rng(2)
    finder = Best(kernel, LETTERS)
    for size in (1, 2, 3, 60, 500, 1500):
        words = np.sort(draw.choice(len(LETTERS.words), size, replace=False)).astype(np.uint16)
        assert finder.of(words, 9).guesses.tolist() == rank(kernel, words, words).guesses[:9].tolist()


@pytest.mark.parametrize("row", ROWS)
def test_no_word_tells_more_than_its_bound(row: str) -> None:
    words = standing(row)
    kernel = solvers.kernel("numpy")
    told = table(len(words))[-1] - kernel.divide(words, words).entropies
    assert (Best(kernel, LETTERS).told_at_most(words) >= told - SLACK).all()

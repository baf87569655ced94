"""The first rows that are worth knowing beforehand."""

from libs.core import lexicon
from libs.core.board import Row
from libs.core.marks import mark
from services.solver.common import POPULAR, first_rows
from tests.services.solver.solvers import LETTERS

SECRETS = lexicon.newest().secrets


def test_popular_openings_are_words_of_the_list() -> None:
    assert [word for word in POPULAR if word not in LETTERS.ids] == []


def test_the_most_common_rows_come_first() -> None:
    rows = first_rows(LETTERS, SECRETS)
    assert len(set(rows)) == 100
    times = [sum(mark(row.guess, secret) == row.marks for secret in SECRETS) for row in rows[::20]]
    assert times == sorted(times, reverse=True)
    assert first_rows(LETTERS, ["crane"], 200).count(Row("crane", "CCCCC")) == 1

"""Looking back on a board, guess by guess, over the words that were possible at each."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from libs.core import board
from libs.core.board import Candidate, Row
from libs.core.marks import SOLVED, mark, number
from libs.core.solver_review import Review, ReviewedRow, luck, skill
from services.solver.addends import patterns
from services.solver.answers import Solver
from services.solver.letters import Ids
from services.solver.matrix import Matrix
from services.solver.rank import table, tenths

PATTERNS = 3**5


class Groups(Struct, frozen=True):
    """How a guess divides words: how many get each row of marks, by its number."""

    counts: NDArray[np.intp]

    @property
    def words(self) -> int:
        """How many words are divided."""
        return int(self.counts.sum())

    @property
    def left(self) -> float:
        """How many words the guess leaves on average, to one decimal."""
        return int(tenths((self.counts**2).sum(keepdims=True), self.words)[0]) / 10

    @property
    def told(self) -> int:
        """How much the guess tells, times the number of words, in units of 2^-40 bits."""
        logs = table(self.words)
        return int(logs[self.words] - logs[self.counts].sum())


class Reviewer:
    """Looks back on boards, with the solver's answers for its own part."""

    def __init__(self, solver: Solver, matrix: Matrix) -> None:
        self._solver = solver
        self._letters = solver.letters
        self._matrix = matrix

    def review(self, rows: Sequence[Row], answer: str | None = None) -> Review:
        """Every row of a board: what it left, what the best word would have left, skill and luck.

        All rows count, be their guess in the list or not: any five letters can be marked. The answer of the board is
        known if a row found it, or if it is told here; it fits the rows. Raises `Refused` for a faulty board.
        """
        checked = board.check(rows)
        whole = self._solver.find(frozenset(checked))
        if whole.status != "ok":
            conflict = tuple(sorted(map(checked.index, whole.conflict))) or None
            return Review(status=whole.status, conflict=conflict)
        answer = next((row.guess for row in checked if row.marks == SOLVED), answer)
        return Review(
            status="ok", rows=tuple(self._look_back(checked[:turn], row, answer) for turn, row in enumerate(checked))
        )

    def _look_back(self, before: Sequence[Row], row: Row, answer: str | None) -> ReviewedRow:
        words, best = self._possible(before)
        groups, others = self._divide(row.guess, words), self._divide(best.word, words)
        return ReviewedRow(
            guess=row.guess,
            marks=row.marks,
            before=len(words),
            left=int(groups.counts[number(row.marks)]),
            expected=groups.left,
            best=best,
            best_left=None if answer is None else int(others.counts[number(mark(best.word, answer))]),
            skill=skill(groups.told, others.told, self._letters.ids.get(row.guess) in words.tolist()),
            luck=luck(groups.counts.tolist(), row.marks),
        )

    def _possible(self, rows: Sequence[Row]) -> tuple[Ids, Candidate]:
        """The words that the rows leave, and the best of them."""
        found = self._solver.find(frozenset(rows))
        best = self._letters.words[found.ranking.guesses[0]]
        words = found.ranking.guesses if rows else self._letters.everything()
        return words, Candidate(best, int(found.ranking.tenths[0]) / 10)

    def _divide(self, guess: str, words: Ids) -> Groups:
        known = self._letters.ids.get(guess)
        marks = patterns(self._letters, guess) if known is None else self._matrix[known]
        return Groups(np.bincount(marks.take(words), minlength=PATTERNS))

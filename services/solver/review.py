"""Looking back on a board, guess by guess, over the words that were possible at each."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from libs.core import board
from libs.core.board import Candidate, Row
from libs.core.marks import SOLVED, mark, number
from libs.core.solver_query import compile_rows
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
    """Looks back on boards, over the list and with the kernel of a solver. Safe to use from several threads."""

    def __init__(self, solver: Solver, matrix: Matrix) -> None:
        self._letters = solver.letters
        self._best = solver.best
        self._first = int(solver.openings.ranking.guesses[0])
        self._matrix = matrix

    def review(self, rows: Sequence[Row], answer: str | None = None) -> Review:
        """Every row of a board: what it left, what the best word would have left, skill and luck.

        All rows count, be their guess in the list or not: any five letters can be marked. The answer of the board is
        known if a row found it, or if it is told here; it fits the rows. Nothing can be said where it is not in the
        list. Raises `Refused` for a faulty board.
        """
        checked = board.check(rows)
        answer = next((row.guess for row in checked if row.marks == SOLVED), answer)
        if conflict := board.conflict(checked):
            return Review(status="contradiction", conflict=conflict)
        if not len(self._standing(checked)) or not (answer is None or answer in self._letters.ids):
            return Review(status="no_word")
        return Review(
            status="ok", rows=tuple(self._look_back(checked[:turn], row, answer) for turn, row in enumerate(checked))
        )

    def _look_back(self, before: Sequence[Row], row: Row, answer: str | None) -> ReviewedRow:
        words = self._standing(before)
        best = self._letters.words[int(self._best.of(words).guesses[0]) if before else self._first]
        groups, others = self._divide(row.guess, words), self._divide(best, words)
        return ReviewedRow(
            guess=row.guess,
            marks=row.marks,
            before=len(words),
            left=int(groups.counts[number(row.marks)]),
            expected=groups.left,
            best=Candidate(best, others.left),
            best_left=None if answer is None else int(others.counts[number(mark(best, answer))]),
            skill=skill(groups.told, others.told, self._is_among(row.guess, words)),
            luck=luck(groups.counts.tolist(), row.marks),
        )

    def _standing(self, rows: Sequence[Row]) -> Ids:
        return self._letters.standing(compile_rows(rows))

    def _is_among(self, guess: str, words: Ids) -> bool:
        known = self._letters.ids.get(guess)
        return known is not None and bool((words == known).any())

    def _divide(self, guess: str, words: Ids) -> Groups:
        known = self._letters.ids.get(guess)
        marks = patterns(self._letters, guess) if known is None else self._matrix[known]
        return Groups(np.bincount(marks.take(words), minlength=PATTERNS))

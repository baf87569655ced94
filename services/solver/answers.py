"""From a board to its answer: checks, the words that fit, their order, and what was answered before."""

from collections.abc import Sequence

import numpy as np
from msgspec import UNSET, Struct

from libs.core import board
from libs.core.board import Answer, Candidate, Row
from libs.core.solver_query import compile_rows
from services.solver import splitters
from services.solver.kept import Found, Kept, Key
from services.solver.letters import Ids, Letters
from services.solver.rank import Kernel, Ranking, candidates, rank

LIMIT = 50


class Question(Struct, frozen=True):
    """A checked board. `left_out` are the rows whose guess is no word of the list; `key` is made of the others."""

    rows: tuple[Row, ...]
    left_out: tuple[int, ...]
    key: Key


class Solver:
    """Answers about boards over one list. Safe to use from several threads; the kernel lets others run meanwhile."""

    def __init__(self, letters: Letters, kernel: Kernel, openings: Sequence[Candidate]) -> None:
        self.letters = letters
        self.kernel = kernel
        self._kept = Kept()
        self._openings = Found(
            "ok",
            len(letters.words),
            Ranking(
                np.array([letters.ids[opening.word] for opening in openings], np.uint16),
                np.array([round(10 * opening.left) for opening in openings], np.uint32),
            ),
        )

    def answer(self, rows: Sequence[Row], limit: int = LIMIT, split: bool = False) -> Answer:
        """What there is to say about a board, with at most `limit` candidates. Raises `Refused` for a faulty board.

        With `split` it also names words that cannot be the answer and tell more than those that can.
        """
        question = self.ask(rows)
        return self.tell(question, self.find(question.key), limit, split)

    def ask(self, rows: Sequence[Row]) -> Question:
        """The checked board. Raises `Refused`."""
        checked = board.check(rows)
        left_out = tuple(number for number, row in enumerate(checked) if row.guess not in self.letters.ids)
        return Question(checked, left_out, frozenset(row for row in checked if row.guess in self.letters.ids))

    def known(self, key: Key) -> Found | None:
        """What was found out before: takes no time worth a thread. Without rows these are the openings."""
        return self._kept.get(key) if key else self._openings

    def find(self, key: Key) -> Found:
        """What is known, or else find it out: up to 15 ms in C, and 100 ms in numpy, for the worst of all boards."""
        return self.known(key) or self.work_out(key, self.standing(key))

    def standing(self, key: Key) -> Ids:
        """The words that these rows leave: takes some 20 microseconds."""
        return self.letters.standing(compile_rows(key))

    def work_out(self, key: Key, words: Ids) -> Found:
        """What there is to say about these rows, which leave these words; it is kept."""
        rows = sorted(key, key=lambda row: (row.guess, row.marks))
        if len(words):
            found = Found("ok", len(words), rank(self.kernel, words, words))
        elif conflict := board.conflict(rows):
            found = Found("contradiction", conflict=frozenset(rows[number] for number in conflict))
        else:
            found = Found("no_word")
        self._kept.put(key, found)
        return found

    def tell(self, question: Question, found: Found, limit: int = LIMIT, split: bool = False) -> Answer:
        """What was found, as this asker is told: by the numbers of their own rows."""
        return Answer(
            status=found.status,
            left_out=question.left_out,
            count=found.count,
            candidates=candidates(self.letters, found.ranking, limit),
            conflict=tuple(sorted(map(question.rows.index, found.conflict))) or None,
            trap=splitters.is_trap(found) or UNSET,
            splitters=splitters.best(self.letters, self.kernel, found) if split else UNSET,
        )

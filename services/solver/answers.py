"""From a board to its answer: checks, the words that fit, their order, and what was answered before."""

from collections.abc import Sequence

import numpy as np
from msgspec import UNSET, Struct

from libs.core import board
from libs.core.board import Answer, Candidate, Row
from libs.core.solver_query import compile_rows
from services.solver import splitters
from services.solver.best import Best
from services.solver.kept import Found, Kept, Key
from services.solver.letters import Ids, Letters
from services.solver.rank import Kernel, Ranking, candidates, rank

LIMIT = 50
MANY = 1500  # words, of which the best are found in less time than all are ranked


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
        self.best = Best(kernel, letters)
        self._kept = Kept()
        self.openings = Found(
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
        return self.tell(question, self.find(question.key, limit), limit, split)

    def ask(self, rows: Sequence[Row]) -> Question:
        """The checked board. Raises `Refused`."""
        checked = board.check(rows)
        left_out = tuple(number for number, row in enumerate(checked) if row.guess not in self.letters.ids)
        return Question(checked, left_out, frozenset(row for row in checked if row.guess in self.letters.ids))

    def known(self, key: Key, limit: int = LIMIT) -> Found | None:
        """What was found out before: takes no time worth a thread. Without rows these are the openings."""
        return self._kept.get(key, limit) if key else self.openings

    def keep(self, key: Key, found: Found) -> None:
        """Keep what was found out elsewhere."""
        self._kept.put(key, found)

    def find(self, key: Key, limit: int = LIMIT) -> Found:
        """What is known, or else find it out."""
        return self.known(key, limit) or self.work_out(key, self.standing(key), limit)

    def standing(self, key: Key) -> Ids:
        """The words that these rows leave: takes some 20 microseconds."""
        return self.letters.standing(compile_rows(key))

    def work_out(self, key: Key, words: Ids, limit: int = LIMIT) -> Found:
        """What there is to say about these rows, which leave these words; it is kept.

        Takes up to 5 ms, and for a limit over fifty 15 ms in C and 100 ms in numpy, for the worst of all boards.
        """
        found = self._ranked(words, limit) if len(words) else _empty(key)
        self._kept.put(key, found)
        return found

    def _ranked(self, words: Ids, limit: int) -> Found:
        if len(words) > MANY and limit <= LIMIT:
            found = Found("ok", len(words), self.best.of(words, LIMIT))
            if not splitters.is_trap(found):  # else one of the others could show that it is none
                return found
        return Found("ok", len(words), rank(self.kernel, words, words))

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


def _empty(key: Key) -> Found:
    """What there is to say about rows that leave no word."""
    rows = sorted(key, key=lambda row: (row.guess, row.marks))
    if conflict := board.conflict(rows):
        return Found("contradiction", conflict=frozenset(rows[number] for number in conflict))
    return Found("no_word")

"""Answers that are kept: the ranked words of each set of rows, bounded by the words that they hold."""

from threading import Lock
from typing import Literal, TypeAlias

from cachetools import LRUCache
from msgspec import Struct

from libs.core.board import Row
from services.solver.rank import NOTHING, Ranking

MOST = 1_500_000  # words, at six bytes each
OVERHEAD = 100  # what else is kept with an answer, in words

Key: TypeAlias = frozenset[Row]
"""The rows that count: neither their order nor repetition changes an answer."""


class Found(Struct, frozen=True):
    """What there is to say about a set of rows, whoever asks and in whatever order."""

    status: Literal["ok", "contradiction", "no_word"]
    count: int = 0  # words that fit
    ranking: Ranking = NOTHING  # of all of them; where there are many, or no row counts, perhaps of the best alone
    conflict: Key = frozenset()

    def has(self, limit: int) -> bool:
        """Is the ranking long enough to name so many?"""
        return len(self.ranking.guesses) >= min(limit, self.count)


class Kept:
    """The answers asked for last. Safe to use from several threads."""

    def __init__(self, most: int = MOST) -> None:
        self._answers: LRUCache[Key, Found] = LRUCache(most, lambda found: OVERHEAD + len(found.ranking.guesses))
        self._lock = Lock()

    def get(self, key: Key, limit: int) -> Found | None:
        """The answer, if one is kept that names so many words."""
        with self._lock:
            found = self._answers.get(key)
        if found is not None and not found.has(limit):
            found = None
        return found

    def put(self, key: Key, found: Found) -> None:
        """Keep an answer, at the cost of those that nobody has asked for longest."""
        with self._lock:
            self._answers[key] = found

    @property
    def words(self) -> int:
        """What is kept now, in words."""
        return int(self._answers.currsize)

"""The solver's word list as arrays and sets: which words a compiled board leaves, and how a guess would be marked."""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from libs.core import lexicon
from libs.core.marks import LENGTH
from libs.core.solver_openings import KIND
from libs.core.solver_query import ANY, Query

Ids: TypeAlias = NDArray[np.uint16]
"""Words by their place in the list, which is alphabetical."""

PLACES = range(LENGTH)


class Letters:
    """The list and what is worked out from it once. Sets of words are Python integers with a bit for each word."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.ids = {word: number for number, word in enumerate(self.words)}
        self.rows = spelled(self.words)
        self.columns = np.ascontiguousarray(self.rows.T)
        self._all = (1 << len(self.words)) - 1
        self._at = [[_pack(self.columns[place] == letter) for letter in range(26)] for place in PLACES]
        self._with = [self._by_count(letter) for letter in range(26)]

    @cached_property
    def digest(self) -> str:
        """The sha256 of the list as it is stored, one word a line."""
        return lexicon.digest(self.words)

    def everything(self) -> Ids:
        """All words."""
        return np.arange(len(self.words), dtype=np.uint16)

    def standing(self, query: Query) -> Ids:
        """The words that satisfy the query, in order."""
        words = self._all
        for at, allowed in zip(self._at, query.allowed, strict=True):
            if len(allowed) == 1:
                words &= at[_number(*allowed)]
            else:
                for letter in ANY - allowed:
                    words &= ~at[_number(letter)]
        for letter, count in query.least.items():
            words &= self._with[_number(letter)][count]
        for letter, count in query.most.items():
            words &= ~self._with[_number(letter)][count + 1]
        return self._unpack(words)

    def _by_count(self, letter: int) -> list[int]:
        counts = (self.columns == letter).sum(axis=0)
        return [_pack(counts >= count) for count in range(LENGTH + 2)]

    def _unpack(self, words: int) -> Ids:
        size = len(self.words)
        bits = np.frombuffer(words.to_bytes((size + 7) // 8, "little"), np.uint8)
        found = np.unpackbits(bits, count=size, bitorder="little").view(np.bool_)
        return found.nonzero()[0].astype(np.uint16)


def newest() -> Letters:
    """The list of the newest edition."""
    return Letters(lexicon.words(lexicon.editions()[-1], KIND))


def spelled(words: Sequence[str]) -> NDArray[np.uint8]:
    """Words of five lower-case letters as rows of five numbers, 0 to 25."""
    letters = np.frombuffer("".join(words).encode("ascii"), np.uint8).reshape(-1, LENGTH)
    return letters - np.uint8(ord("a"))


def _number(letter: str) -> int:
    return ord(letter) - ord("a")


def _pack(words: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(words, bitorder="little").tobytes(), "little")

"""The kernel for machines without a compiler: numpy alone, some six times slower than the other."""

import numpy as np
from numpy.typing import NDArray

from services.solver.addends import Addends
from services.solver.letters import Ids
from services.solver.rank import Divisions, table

PATTERNS = 256  # 243 rows of marks, rounded up
BLOCK = 1 << 17  # pairs of guess and word at a time: few enough for the caches, enough to be worth the calls
MOST = (1 << 16) // PATTERNS  # guesses at a time: their keys are made in sixteen bits


class NumpyKernel:
    """Sums addends into the numbers of marks, and counts those of a block of guesses at once."""

    name = "numpy"

    def __init__(self, addends: Addends) -> None:
        self._addends = addends
        self._table = table(len(addends.parts))

    def divide(self, guesses: Ids, words: Ids) -> Divisions:
        """How each of the guesses would divide these words."""
        needed, parts = np.unique(self._addends.parts[guesses], return_inverse=True)
        parts = parts.reshape(len(guesses), -1)
        rows = self._addends.rows.take(needed, axis=0).take(words, axis=1)
        entropies = np.empty(len(guesses), np.int64)
        squares = np.empty(len(guesses), np.int64)
        size = min(MOST, max(4, BLOCK // max(1, len(words))))
        for start in range(0, len(guesses), size):
            block = slice(start, start + size)
            counts = _count(rows, parts[block])
            entropies[block] = self._table[counts].sum(axis=1)
            squares[block] = np.einsum("gc,gc->g", counts, counts)
        return Divisions(entropies, squares)


def _count(rows: NDArray[np.uint8], parts: NDArray[np.intp]) -> NDArray[np.intp]:
    """How often each pattern occurs for each of these guesses, which are given by the rows that make their sum."""
    first, *others = parts.T
    patterns = rows.take(first, axis=0)
    row = np.empty_like(patterns)
    for part in others:
        rows.take(part, axis=0, out=row, mode="clip")  # any other mode would work in a copy of `out`
        patterns += row
    keys = patterns.astype(np.uint16)
    keys += (np.arange(len(parts), dtype=np.uint16) * np.uint16(PATTERNS))[:, None]
    return np.bincount(keys.astype(np.intp).ravel(), minlength=PATTERNS * len(parts)).reshape(-1, PATTERNS)

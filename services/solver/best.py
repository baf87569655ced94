"""The best of many words without ranking them all: most can be ruled out by what each tile alone could tell.

The tiles of a guess together tell at most as much as each would alone, added up; that sum takes no counting of rows of
marks. Words are tried in its order, until none that is left could beat the best so far.
"""

import numpy as np
from numpy.typing import NDArray

from libs.core.marks import LENGTH
from services.solver.letters import Ids, Letters
from services.solver.rank import UNIT, Divisions, Kernel, Ranking, best_first, table, tenths

FIRST = 64  # words tried at first; then twice as many each time
SLACK = UNIT >> 10  # more than all roundings of logarithms together
PLACES = np.arange(LENGTH)
ALPHABET = 26


class Best:
    """Finds the first of a ranking, the same as ranking does. Safe to use from several threads."""

    def __init__(self, kernel: Kernel, letters: Letters) -> None:
        self._kernel = kernel
        self._rows = letters.rows
        same = letters.rows[:, :, None] == letters.rows[:, None, :]
        self._once = same.sum(axis=2) == 1  # the letter of this tile stands at no other
        self._repeated = ~self._once & ~np.tril(same, -1).any(axis=2)  # it is the first of several
        counts = np.stack([(letters.columns == letter).sum(axis=0, dtype=np.uint8) for letter in range(ALPHABET)])
        self._counts = counts + (LENGTH + 1) * np.arange(ALPHABET, dtype=np.uint8)[:, None]

    def of(self, words: Ids, count: int = 1) -> Ranking:
        """The first so many of a ranking of these words (one at least)."""
        least = table(len(words))[-1] - self.told_at_most(words)
        order = np.argsort(least)
        done, size = 0, max(FIRST, 2 * count)
        places, found = order[:0], Divisions(least[:0], least[:0])
        while done < min(count, len(order)) or (
            done < len(order) and least[order[done]] <= np.partition(found.entropies, count - 1)[count - 1] + SLACK
        ):
            block = np.sort(order[done : done + size])
            new = self._kernel.divide(words[block], words)
            places = np.concatenate((places, block))
            found = Divisions(
                np.concatenate((found.entropies, new.entropies)), np.concatenate((found.squares, new.squares))
            )
            done, size = done + size, 2 * size
        alphabetical = np.argsort(places)
        tried = Divisions(found.entropies[alphabetical], found.squares[alphabetical])
        best = best_first(tried)[:count]
        return Ranking(words[places[alphabetical[best]]], tenths(tried.squares[best], len(words)))

    def told_at_most(self, words: Ids) -> NDArray[np.int64]:
        """For each of these words a bound on what it tells of which of them it is.

        That is n log2 n less the sum of c log2 c, in units of 2^-40.
        """
        count, logs, rows = len(words), table(len(words)), self._rows[words]
        at = np.stack([np.bincount(column, minlength=ALPHABET) for column in rows.T])  # words with a letter at a place
        numbers = np.bincount(self._counts[:, words].ravel(), minlength=(LENGTH + 1) * ALPHABET)
        having = numbers.reshape(ALPHABET, LENGTH + 1)  # words with 0 to 5 of a letter
        some = count - having[:, 0]
        green = logs[count] - logs[at] - logs[count - at]
        any_of_three = logs[count] - logs[at] - logs[some - at] - logs[count - some]
        number = logs[count] - logs[having].sum(axis=1)
        told = np.where(self._once[words], any_of_three[PLACES, rows], green[PLACES, rows])
        told += np.where(self._repeated[words], number[rows], 0)
        return np.asarray(told.sum(axis=1))

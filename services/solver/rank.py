"""The order of guesses: by how much their marks tell, exactly, whatever divides the words into groups.

A guess divides the words that are still possible into groups, one for each row of marks. With groups of c words of n in
all, the order is by the sum of c log2 c, ties by the sum of c*c, then alphabetical; *left* is the sum of c*c over n.
"""

from functools import cache
from math import log2
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from libs.core.board import Candidate
from services.solver.letters import Ids, Letters

UNIT = 1 << 40


class Divisions(Struct, frozen=True):
    """How each of some guesses would divide the words: the sums over its groups, in the order of the guesses."""

    entropies: NDArray[np.int64]  # of c log2 c, in units of 2^-40
    squares: NDArray[np.int64]  # of c*c


class Kernel(Protocol):
    """What divides; every kernel gives the same numbers. May be called from several threads at once."""

    name: str

    def divide(self, guesses: Ids, words: Ids) -> Divisions:
        """How each of the guesses would divide these words."""


class Ranking(Struct, frozen=True):
    """Guesses, best first, and what each would leave on average, in tenths of a word."""

    guesses: Ids
    tenths: NDArray[np.uint32]


NOTHING = Ranking(np.empty(0, np.uint16), np.empty(0, np.uint32))
"""What is left where no word fits."""


def rank(kernel: Kernel, guesses: Ids, words: Ids) -> Ranking:
    """The guesses in order, by how they would divide these words (one at least)."""
    divisions = kernel.divide(guesses, words)
    order = best_first(divisions)
    return Ranking(guesses[order], tenths(divisions.squares[order], len(words)))


def candidates(letters: Letters, ranking: Ranking, limit: int) -> tuple[Candidate, ...]:
    """The first of a ranking as they are told."""
    best = zip(ranking.guesses[:limit].tolist(), ranking.tenths[:limit].tolist(), strict=True)
    return tuple(Candidate(letters.words[guess], tenth / 10) for guess, tenth in best)


def best_first(divisions: Divisions) -> NDArray[np.intp]:
    """The places of the guesses in order; what still ties stays in the order it came in, which is alphabetical."""
    entropies, squares = divisions.entropies, divisions.squares
    order = np.argsort(entropies)
    if len(order) < 2:
        return order
    ordered = entropies[order]
    ties = np.empty(len(order) + 1, np.bool_)
    ties[0] = ties[-1] = False
    np.equal(ordered[1:], ordered[:-1], out=ties[1:-1])
    tied = np.flatnonzero(ties[1:] | ties[:-1])
    if len(tied):
        among = order[tied]
        order[tied] = among[np.lexsort((among, squares[among], entropies[among]))]
    return order


def tenths(squares: NDArray[np.int64], words: int) -> NDArray[np.uint32]:
    """The sum of c*c over the number of words, in tenths; a half rounds up."""
    return ((20 * squares + words) // (2 * words)).astype(np.uint32)


@cache
def table(largest: int) -> NDArray[np.int64]:
    """c log2 c in units of 2^-40 for c from 0 to `largest`.

    The logarithms of the prime factors are rounded once and added up, so that two divisions tie whenever their products
    of c^c are equal: float sums would order them by their noise.
    """
    logs = np.zeros(largest + 1, np.int64)
    for number in range(2, largest + 1):
        if logs[number] == 0:  # a prime: nothing smaller divides it
            power = number
            while power <= largest:
                logs[power::power] += round(log2(number) * UNIT)
                power *= number
    values = logs * np.arange(largest + 1)
    values.setflags(write=False)
    return values

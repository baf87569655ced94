"""The number of a row of marks as a sum: one addend for each distinct letter of the guess.

The addend depends on the letter and on its places in the guess alone (an a at the second place; an e at the third and
the fifth), so the 8,636 words share 314 rows of addends, 2.7 MB, that hold the marks of every guess against every word.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from libs.core.marks import LENGTH
from services.solver.letters import Ids, Letters

Part: TypeAlias = tuple[int, tuple[int, ...]]
"""A letter (0 to 25) and its places in a guess."""

WEIGHTS = (81, 27, 9, 3, 1)
NOTHING: Part = (0, ())


class Addends:
    """All addends of the words of a list, against all words of it."""

    def __init__(self, letters: Letters) -> None:
        self._letters = letters
        self._numbers: dict[Part, int] = {NOTHING: 0}
        self.parts = np.zeros((len(letters.words), LENGTH), np.uint16)  # of each word: the rows to be summed
        for word, spelling in enumerate(letters.rows.tolist()):
            for slot, part in enumerate(parts_of(spelling)):
                self.parts[word, slot] = self._numbers.setdefault(part, len(self._numbers))

    @cached_property
    def rows(self) -> NDArray[np.uint8]:
        """The rows of addends, one byte for each word; row 0 holds noughts, for guesses with fewer parts."""
        rows = np.empty((len(self._numbers), len(self._letters.words)), np.uint8)
        for part, number in self._numbers.items():
            rows[number] = addend(self._letters.columns, part)
        return rows

    def patterns(self, guesses: Ids | slice) -> NDArray[np.uint8]:
        """The numbers of the marks (0 to 242) that these guesses would get against every word of the list."""
        first, *others = self.parts[guesses].T
        patterns: NDArray[np.uint8] = self.rows[first]
        for part in others:
            patterns += self.rows[part]
        return patterns


def parts_of(spelling: list[int]) -> Iterator[Part]:
    """The distinct letters of a guess with their places, in order of the first place."""
    for place, letter in enumerate(spelling):
        if letter not in spelling[:place]:
            yield letter, tuple(other for other in range(place, LENGTH) if spelling[other] == letter)


def addend(columns: NDArray[np.uint8], part: Part) -> NDArray[np.uint8]:
    """What a part of a guess adds to the number of the marks, for each word (their letters by place)."""
    letter, places = part
    found = columns == letter
    spare = found.sum(axis=0, dtype=np.uint8) - found[list(places)].sum(axis=0, dtype=np.uint8)
    total = np.zeros(columns.shape[1], np.uint8)
    for place in places:
        yellow = ~found[place] & (spare > 0)
        spare -= yellow
        total += np.uint8(WEIGHTS[place]) * (2 * found[place].astype(np.uint8) + yellow)
    return total

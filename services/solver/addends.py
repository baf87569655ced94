"""The number of a row of marks as a sum: one addend for each distinct letter of the guess.

The addend depends on the letter and on its places in the guess alone (an a at the second place; an e at the third and
the fifth), so the 8,636 words share 314 rows of addends, 2.7 MB, that hold the marks of every guess against every word.
"""

import numpy as np
from numpy.typing import NDArray

from libs.core.marks import LENGTH
from services.solver.letters import Ids, Letters

WEIGHTS = (81, 27, 9, 3, 1)
SETS = 1 << LENGTH  # of places, as bits


class Addends:
    """All addends of the words of a list, against all words of it.

    `rows` has a byte for each word; its first row holds noughts. `parts` has for each word the rows that are to be
    summed, one for each place; row 0 where the letter has been counted at an earlier place.
    """

    def __init__(self, letters: Letters) -> None:
        keys, parts = np.unique(_parts(letters.rows), return_inverse=True)
        self.parts = parts.reshape(letters.rows.shape)
        self.rows = np.stack([addend(letters.columns, *divmod(key, SETS)) for key in keys.tolist()])

    def patterns(self, guesses: Ids | slice, out: NDArray[np.uint8]) -> None:
        """Puts in `out` the numbers of the marks (0 to 242) that these guesses would get against every word."""
        first, *others = self.parts[guesses].T
        self.rows.take(first, axis=0, out=out, mode="clip")  # any other mode would work in a copy of `out`
        row = np.empty_like(out)
        for part in others:
            self.rows.take(part, axis=0, out=row, mode="clip")
            out += row


def addend(columns: NDArray[np.uint8], letter: int, places: int) -> NDArray[np.uint8]:
    """What a letter (0 to 25) at these places of a guess (as bits) adds to the number of the marks, for each word."""
    found = columns == letter
    mine = [place for place in range(LENGTH) if places >> place & 1]
    spare = found.sum(axis=0, dtype=np.uint8) - found[mine].sum(axis=0, dtype=np.uint8)
    total = np.zeros(columns.shape[1], np.uint8)
    for place in mine:
        yellow = ~found[place] & (spare > 0)
        spare -= yellow
        total += np.uint8(WEIGHTS[place]) * (2 * found[place].astype(np.uint8) + yellow)
    return total


def _parts(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """For each place of each word its letter and all places of that letter, as one number; 0 at all but the first."""
    same = rows[:, :, None] == rows[:, None, :]
    places = same @ (1 << np.arange(LENGTH))
    again = np.tril(same, -1).any(axis=2)
    return np.where(again, 0, rows * np.int64(SETS) + places)


def patterns(letters: Letters, guess: str) -> NDArray[np.uint8]:
    """The numbers of the marks that a guess of five letters, in the list or not, would get against every word of it."""
    total = np.zeros(len(letters.words), np.uint8)
    for letter in set(guess):
        places = sum(1 << place for place in range(LENGTH) if guess[place] == letter)
        total += addend(letters.columns, ord(letter) - ord("a"), places)
    return total

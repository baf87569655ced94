"""Rhyme traps, and the way out of them: words that cannot be the answer but tell more than those that can."""

import numpy as np

from libs.core.board import Splitter
from services.solver.kept import Found
from services.solver.letters import Letters
from services.solver.rank import Kernel, rank

COUNT = 10
TRAP_LEAST = 4  # words: with fewer, guessing them in turn is as good
SPLIT_MOST = 500  # words: with more, those that can be the answer tell enough


def is_trap(found: Found) -> bool:
    """Does even the best of the candidates leave more than half of them on average?"""
    return found.count >= TRAP_LEAST and bool(2 * found.ranking.tenths.min() > 10 * found.count)


def best(letters: Letters, kernel: Kernel, found: Found) -> tuple[Splitter, ...]:
    """The words of the list that are no candidates and leave fewer than the first candidate, best first."""
    if not 1 < found.count <= SPLIT_MOST:
        return ()
    words = np.sort(found.ranking.guesses)
    others = rank(kernel, np.setdiff1d(letters.everything(), words, assume_unique=True), words)
    told = zip(others.guesses[:COUNT].tolist(), others.tenths[:COUNT].tolist(), strict=True)
    return tuple(
        Splitter(letters.words[guess], tenths / 10) for guess, tenths in told if tenths < found.ranking.tenths[0]
    )

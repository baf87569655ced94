"""A solver over the newest word list, made from what is in a folder; takes some 20 ms, and builds nothing."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock

from libs.core import lexicon
from libs.core.solver_openings import openings
from services.solver import kernel, letters, matrix
from services.solver.answers import Solver
from services.solver.review import Reviewer


def solver(folder: Path) -> Solver:
    """Answers boards on the fastest kernel of this folder. Raises `LookupError` if the edition has no openings."""
    words = letters.newest()
    return Solver(words, kernel.load(words, folder), openings(lexicon.editions()[-1]).openings)


def reviewer(folder: Path, solver: Solver) -> Callable[[], Reviewer]:
    """A function that gives the reviewer, for any thread: the first to call it opens the matrix, or builds it."""
    opening = Lock()

    @cache
    def opened() -> Reviewer:
        return Reviewer(solver, matrix.ready(folder, solver.letters))

    def give() -> Reviewer:
        with opening:
            return opened()

    return give

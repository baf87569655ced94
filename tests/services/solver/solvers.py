"""Solvers for tests: one on each kernel, over the whole list; the one in C is compiled afresh."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pytest

from libs.core import lexicon
from libs.core.solver_openings import openings
from services.solver import build_kernel
from services.solver.addends import Addends
from services.solver.answers import Solver
from services.solver.kernel_c import CKernel
from services.solver.kernel_numpy import NumpyKernel
from services.solver.letters import newest
from services.solver.matrix import Matrix, build
from services.solver.rank import Kernel
from services.solver.review import Reviewer

LETTERS = newest()
KERNELS = ("c", "numpy")

Made = TypeVar("Made")


@cache
def kernel(name: str) -> Kernel:
    """The kernel of this name. Raises `NotBuilt` where there is no compiler."""
    if name == "numpy":
        return NumpyKernel(Addends(LETTERS))
    with TemporaryDirectory() as folder:
        return CKernel(build_kernel.build(Path(folder)), LETTERS)  # once loaded, the file is not needed


def or_skip(make: Callable[[str], Made], name: str) -> Made:
    """What is made on the kernel of this name; the test is left out where there is no compiler for it."""
    try:
        return make(name)
    except build_kernel.NotBuilt as reason:
        pytest.skip(str(reason))


def solver(name: str) -> Solver:
    """A solver that has answered nothing yet."""
    return Solver(LETTERS, kernel(name), openings(lexicon.newest().edition).openings)


@cache
def matrix() -> Matrix:
    """The matrix of the list."""
    return build(LETTERS)


def reviewer(name: str) -> Callable[[], Reviewer]:
    """Gives a reviewer."""
    return lambda: Reviewer(solver(name), matrix())

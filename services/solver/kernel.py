"""Which kernel runs: the one in C where it has been built, else the one of numpy. Both give the same numbers."""

from pathlib import Path

import structlog

from services.solver.addends import Addends
from services.solver.build_kernel import library
from services.solver.kernel_c import CKernel
from services.solver.kernel_numpy import NumpyKernel
from services.solver.letters import Letters
from services.solver.rank import Kernel

log = structlog.get_logger()


def load(letters: Letters, folder: Path) -> Kernel:
    """The fastest kernel that this folder and machine allow; its `name` says which it is."""
    built = library(folder)
    if built.exists():
        try:
            return CKernel(built, letters)
        except OSError as error:
            log.warning("the compiled kernel does not load", error=str(error))
    return NumpyKernel(Addends(letters))

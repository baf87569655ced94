"""Which kernel runs: the one in C where it has been built, else the one of numpy. Both give the same numbers."""

import logging
from pathlib import Path

from services.solver.addends import Addends
from services.solver.build_kernel import is_whole, library
from services.solver.kernel_c import CKernel
from services.solver.kernel_numpy import NumpyKernel
from services.solver.letters import Letters
from services.solver.rank import Kernel

log = logging.getLogger(__name__)  # structlog takes as long to import as all else that a first answer needs


def load(letters: Letters, folder: Path) -> Kernel:
    """The fastest kernel that this folder and machine allow; its `name` says which it is."""
    built = library(folder)
    if is_whole(built):
        try:
            return CKernel(built, letters)
        except OSError as error:
            log.warning("the compiled kernel does not load: %s", error)
    elif built.exists():
        log.warning("the compiled kernel is damaged, make setup compiles it again: %s", built)
    return NumpyKernel(Addends(letters))

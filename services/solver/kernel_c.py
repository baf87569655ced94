"""The kernel in C, through ctypes: it holds the letters of the list and nothing else, and lets go of Python's lock."""

import ctypes
from ctypes import POINTER, c_int, c_int64, c_size_t, c_uint8
from pathlib import Path

import numpy as np

from services.solver.letters import Ids, Letters
from services.solver.rank import Divisions, table

_BYTES = POINTER(c_uint8)
_NUMBERS = POINTER(c_int64)


class CKernel:
    """The compiled kernel over a list. Raises `OSError` where the library cannot be loaded."""

    name = "c"

    def __init__(self, library: Path, letters: Letters) -> None:
        self._divide = ctypes.CDLL(str(library)).wordyard_divide
        self._divide.argtypes = [_BYTES, c_size_t, _BYTES, c_size_t, _NUMBERS, _NUMBERS, _NUMBERS]
        self._divide.restype = c_int
        self._rows = letters.rows
        self._table = table(len(letters.words))

    def divide(self, guesses: Ids, words: Ids) -> Divisions:
        """How each of the guesses would divide these words. Raises `MemoryError`."""
        rows = self._rows[guesses]
        columns = rows if words is guesses else self._rows[words]
        divisions = Divisions(np.empty(len(guesses), np.int64), np.empty(len(guesses), np.int64))
        failed = self._divide(
            rows.ctypes.data_as(_BYTES),
            len(guesses),
            columns.ctypes.data_as(_BYTES),
            len(words),
            self._table.ctypes.data_as(_NUMBERS),
            divisions.entropies.ctypes.data_as(_NUMBERS),
            divisions.squares.ctypes.data_as(_NUMBERS),
        )
        if failed:
            raise MemoryError
        return divisions

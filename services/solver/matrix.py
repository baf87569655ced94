"""The matrix: the marks that every word as a guess gets against every word, one byte for each pair, in one file.

The file is named after the hash of the word list, written whole or not at all, and mapped, so that all processes of a
machine share one copy. It starts with a header of one page: magic, format, size of the list, sha256 of the list, sha256
of the matrix. Guesses are rows and words columns, both in the order of the list.
"""

import logging
import struct
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from services.solver import place
from services.solver.addends import Addends
from services.solver.letters import Letters

Matrix: TypeAlias = NDArray[np.uint8]

MAGIC = b"WYMATRIX"
FORMAT = 1
PAGE = 4096  # bytes before the matrix, so that its rows start where a page does
HEADER = struct.Struct("<8sII32s32s")
BLOCK = 32  # guesses at a time

log = logging.getLogger(__name__)  # structlog takes as long to import as all else that a first answer needs


class BadMatrix(Exception):
    """The file is not the matrix of this list, or is damaged; says how."""


def build(letters: Letters) -> Matrix:
    """The whole matrix, in memory of this process."""
    size = len(letters.words)
    addends = Addends(letters)
    matrix = np.empty((size, size), np.uint8)
    for start in range(0, size, BLOCK):
        block = slice(start, start + BLOCK)
        addends.patterns(block, out=matrix[block])
    return matrix


def checksum(matrix: Matrix) -> str:
    """The sha256 of all bytes of the matrix, row after row."""
    return sha256(matrix.reshape(-1).data).hexdigest()


def home(folder: Path, letters: Letters) -> Path:
    """The file of this list's matrix."""
    return file_of(folder, letters.digest)


def file_of(folder: Path, words: str) -> Path:
    """The file of the matrix of the list with this hash."""
    return folder / f"matrix-{words[:16]}.bin"


def write(file: Path, letters: Letters, matrix: Matrix) -> None:
    """Put the file in its place, whole. Raises `OSError`."""
    header = HEADER.pack(
        MAGIC, FORMAT, len(letters.words), bytes.fromhex(letters.digest), bytes.fromhex(checksum(matrix))
    )
    with place.draft(file) as path, path.open("wb") as draft:
        draft.write(header.ljust(PAGE, b"\0"))
        draft.write(matrix.data)


def read(file: Path, letters: Letters) -> Matrix:
    """The matrix in this file, mapped and read-only, checked from end to end. Raises `BadMatrix` and `OSError`."""
    with file.open("rb") as opened:
        header = opened.read(HEADER.size)
    if len(header) < HEADER.size:
        raise BadMatrix("no header")
    magic, form, size, digest, expected = HEADER.unpack(header)
    if (magic, form) != (MAGIC, FORMAT):
        raise BadMatrix("another format")
    if (size, digest.hex()) != (len(letters.words), letters.digest):
        raise BadMatrix("the matrix of another list")
    if file.stat().st_size != PAGE + size * size:
        raise BadMatrix("cut short or too long")
    mapped = np.memmap(file, np.uint8, "r", PAGE, (size, size))
    if checksum(mapped) != expected.hex():
        raise BadMatrix("the checksum does not fit")
    return mapped


def ready(folder: Path, letters: Letters) -> Matrix:
    """The matrix from its file, which is made (again) if it is missing or bad.

    Where the folder cannot be written to, the matrix is kept in memory of this process alone.
    """
    file = home(folder, letters)
    try:
        return read(file, letters)
    except FileNotFoundError:
        log.info("building the matrix: %s", file)
    except (BadMatrix, OSError) as error:
        log.warning("the matrix is bad and is built again: %s: %s", file, error)
    matrix = build(letters)
    try:
        write(file, letters, matrix)
        return read(file, letters)
    except OSError as error:
        log.warning("the matrix cannot be kept: %s: %s", file, error)
        return matrix

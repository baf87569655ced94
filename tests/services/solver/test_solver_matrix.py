"""The matrix: its right bytes, and a file that is taken only if it is whole and of this list."""

import os
from pathlib import Path

import numpy as np
import pytest

from libs.core.marks import mark, number
from services.solver import addends, matrix
from services.solver.letters import Letters, newest
from services.solver.matrix import BadMatrix, Matrix

SHA256 = "e584ca96e8cca71d8e905258fff25d92b3af9294c8df95e1bdb6e159365ae3dc"
FEW = Letters(("abbey", "crane", "eerie", "geese", "hobby", "sassy", "sheep"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A good file of the few words."""
    matrix.ready(tmp_path, FEW)
    return matrix.home(tmp_path, FEW)


def plain(letters: Letters) -> Matrix:
    return np.array([[number(mark(guess, word)) for word in letters.words] for guess in letters.words], np.uint8)


def change(file: Path, at: int, content: bytes) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(content)


def test_the_matrix_of_the_list_is_right() -> None:
    assert matrix.checksum(matrix.build(newest())) == SHA256


def test_it_holds_the_marks_of_each_guess_against_each_word() -> None:
    np.testing.assert_array_equal(matrix.build(FEW), plain(FEW))


@pytest.mark.parametrize("guess", ["vlogs", "zzzzz", "ababa", "crane"])
def test_a_guess_need_not_be_a_word_of_the_list(guess: str) -> None:
    assert addends.patterns(FEW, guess).tolist() == [number(mark(guess, word)) for word in FEW.words]


def test_the_file_is_named_after_the_list_and_mapped(file: Path) -> None:
    assert file.name == f"matrix-{FEW.digest[:16]}.bin"
    mapped = matrix.read(file, FEW)
    assert isinstance(mapped, np.memmap)
    assert not mapped.flags.writeable
    np.testing.assert_array_equal(mapped, plain(FEW))


@pytest.mark.parametrize(
    ("at", "content", "said"),
    [
        (0, b"?", "another format"),
        (8, b"\x02", "another format"),
        (12, b"\x08", "another list"),
        (16, b"????", "another list"),
        (48, b"????", "checksum"),
        (matrix.PAGE + 3, b"\xff", "checksum"),
        (matrix.PAGE + 49, b"\x00", "too long"),
    ],
)
def test_a_damaged_file_is_refused_and_built_again(file: Path, at: int, content: bytes, said: str) -> None:
    change(file, at, content)
    with pytest.raises(BadMatrix, match=said):
        matrix.read(file, FEW)
    np.testing.assert_array_equal(matrix.ready(file.parent, FEW), plain(FEW))
    np.testing.assert_array_equal(matrix.read(file, FEW), plain(FEW))


@pytest.mark.parametrize("size", [0, 7, 120, matrix.PAGE, matrix.PAGE + 48])
def test_a_file_that_was_cut_short_is_refused(file: Path, size: int) -> None:
    os.truncate(file, size)
    with pytest.raises(BadMatrix):
        matrix.read(file, FEW)


def test_the_matrix_of_another_list_is_refused(file: Path) -> None:
    with pytest.raises(BadMatrix, match="another list"):
        matrix.read(file, Letters(FEW.words[:-1]))


def test_a_failed_write_leaves_the_old_file_and_no_other(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(AttributeError):
        matrix.write(file, FEW, None)  # type: ignore[arg-type]
    assert [file] == list(tmp_path.iterdir())
    assert before == file.read_bytes()


def test_without_a_place_for_the_file_it_is_kept_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    np.testing.assert_array_equal(matrix.ready(tmp_path / "file" / "folder", FEW), plain(FEW))

"""Both kernels: the same exact numbers as plain counting, in the order that the vectors say."""

import math
import os
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from libs.core.marks import mark
from services.solver import build_kernel, kernel
from services.solver.addends import Addends
from services.solver.build_kernel import NotBuilt
from services.solver.letters import Ids
from services.solver.rank import Divisions, Kernel, best_first, table, tenths
from tests.services.solver import solvers
from tests.services.solver.solvers import KERNELS, LETTERS

SOME: Ids = np.arange(0, len(LETTERS.words), 61, dtype=np.uint16)


@pytest.fixture(scope="module", params=KERNELS)
def runs(request: pytest.FixtureRequest) -> Kernel:
    """Each of the kernels; the one in C is left out where there is no compiler."""
    return solvers.or_skip(solvers.kernel, request.param)


def groups(guess: int, words: Ids) -> list[int]:
    return list(Counter(mark(LETTERS.words[guess], LETTERS.words[word]) for word in words).values())


def test_a_kernel_counts_as_marking_does(runs: Kernel) -> None:
    found = runs.divide(SOME, SOME)
    for place, guess in enumerate(SOME.tolist()):
        sizes = groups(guess, SOME)
        assert sum(size * size for size in sizes) == found.squares[place]
        assert sum(int(table(200)[size]) for size in sizes) == found.entropies[place]


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 63, 64, 65, 142])
def test_guesses_and_words_may_be_any(runs: Kernel, size: int) -> None:
    words = SOME[:size]
    guesses = SOME[::-3]
    found = runs.divide(guesses, words)
    assert found.squares.tolist() == [sum(count**2 for count in groups(guess, words)) for guess in guesses.tolist()]


def test_a_kernel_sums_up_the_whole_list_as_the_matrix_does(runs: Kernel) -> None:
    guesses = LETTERS.everything()[::7]
    found = runs.divide(guesses, LETTERS.everything())
    marks = np.empty((len(guesses), len(LETTERS.words)), np.uint8)
    Addends(LETTERS).patterns(guesses, out=marks)
    counts = np.stack([np.bincount(row, minlength=243) for row in marks])
    np.testing.assert_array_equal(found.squares, (counts**2).sum(axis=1))
    np.testing.assert_array_equal(found.entropies, table(len(LETTERS.words))[counts].sum(axis=1))


def test_a_folder_without_a_library_means_numpy(tmp_path: Path) -> None:
    assert kernel.load(LETTERS, tmp_path).name == "numpy"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda file: file.write_bytes(b"no library"), id="no library"),
        pytest.param(lambda file: os.truncate(file, file.stat().st_size // 2), id="cut short"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes() + b"?"), id="too long"),
        pytest.param(lambda file: file.with_suffix(".sha256").unlink(), id="no checksum"),
        pytest.param(lambda file: file.with_suffix(".sha256").write_bytes(b"\xff"), id="no text"),
    ],
)
def test_a_damaged_library_is_not_loaded_and_is_compiled_again(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    try:
        home = build_kernel.build(tmp_path)
    except NotBuilt as reason:
        pytest.skip(str(reason))
    damage(home)
    assert kernel.load(LETTERS, tmp_path).name == "numpy"
    assert kernel.load(LETTERS, build_kernel.build(tmp_path).parent).name == "c"


def test_a_library_that_is_whole_and_does_not_load_is_done_without(tmp_path: Path) -> None:
    home = build_kernel.library(tmp_path)
    home.write_bytes(b"no library")
    home.with_suffix(".sha256").write_text(sha256(b"no library").hexdigest())
    assert kernel.load(LETTERS, tmp_path).name == "numpy"


def test_without_a_compiler_nothing_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(NotBuilt, match="no C compiler"):
        build_kernel.build(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_table_is_near_the_logarithms_and_exact_in_ties() -> None:
    values = table(8636).tolist()
    assert values[:2] == [0, 0]
    assert all(abs(value - n * math.log2(n) * 2**40) <= 8 * n for n, value in enumerate(values) if n)
    assert values[4] + 4 * values[1] == 4 * values[2]  # {4, 1, 1, 1, 1} and {2, 2, 2, 2}
    assert values[9] + 9 * values[1] == 6 * values[3]  # 9^9 = (3^3)^6


def test_ties_go_by_what_is_left_and_then_by_the_alphabet() -> None:
    divisions = Divisions(np.array([5, 3, 5, 3, 5, 1]), np.array([9, 4, 8, 4, 8, 7]))
    assert best_first(divisions).tolist() == [5, 1, 3, 2, 4, 0]


@pytest.mark.parametrize(
    ("squares", "words", "shown"), [(58, 8, 73), (9, 9, 10), (65, 9, 72), (49, 20, 25), (1, 1, 10)]
)
def test_left_is_rounded_half_up_to_tenths(squares: int, words: int, shown: int) -> None:
    assert tenths(np.array([squares]), words).tolist() == [shown]

"""Doddle, the best known solver in Python, on the same boards: in an environment of its own, since it needs numpy 1."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np

from services.solver.letters import Ids, Letters
from services.solver.matrix import Matrix

PACKAGES = ("doddle==1.6.0", "numpy==1.26.4")

# Candidates alone, by its own histogram and guess, then sorted. Its matrix holds the same numbers as ours, as int64.
PEER = """
import json, sys, time
import numpy as np
from doddle.guess import EntropyGuess
from doddle.histogram import HistogramBuilder, _populate_histogram
from doddle.words import Word
seconds, *files = sys.argv[1:]
least = {}
for file in files:
    with np.load(file) as held:
        scores, words = held["scores"], [Word(word) for word in held["words"].tolist()]
    histogram = HistogramBuilder._allocate_histogram_vector(5)
    def rank():
        return sorted(
            EntropyGuess.from_histogram(word, _populate_histogram(scores, row, histogram), histogram)
            for row, word in enumerate(words)
        )
    best = str(rank()[0]).lower()
    times, end = [], time.perf_counter() + float(seconds)
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        rank()
        times.append(time.perf_counter() - start)
    least[len(words)] = min(times), best
print(json.dumps(least))
"""


class Doddle:
    """Doddle with some boards to rank."""

    def __init__(self, folder: Path) -> None:
        self._python = folder / "env" / "bin" / "python"
        self._folder = folder
        subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
        pip = (self._python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES)
        subprocess.run(pip, check=True, stdout=sys.stderr)

    def take(self, letters: Letters, matrix: Matrix, standing: Ids) -> None:
        """One more board: the words that it leaves."""
        scores = matrix[np.ix_(standing, standing)].astype(np.int64)
        words = np.array([letters.words[word] for word in standing.tolist()])
        np.savez(self._folder / f"{len(words)}.npz", scores=scores, words=words)

    def rank(self, seconds: float) -> Mapping[int, tuple[float, str]]:
        """For each board, by the number of its words: the least time of a ranking in seconds, and the best word."""
        command = [str(self._python), "-c", PEER, str(seconds), *map(str, sorted(self._folder.glob("*.npz")))]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return msgspec.json.decode(done.stdout, type=dict[int, tuple[float, str]])


@contextmanager
def installed() -> Iterator[Doddle]:
    """Doddle in an environment that goes with it. Raises `CalledProcessError` where it cannot be installed."""
    with tempfile.TemporaryDirectory() as folder:
        yield Doddle(Path(folder))

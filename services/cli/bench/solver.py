"""`wordyard bench solver`: the solver's loops against what the machine could do at best, in one run."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from libs.core.board import Row
from libs.core.solver_query import compile_rows
from services.cli.bench import cycle, doddle, figures
from services.cli.bench.figures import Figure
from services.cli.bench.least import least
from services.solver import build_kernel, kernel, matrix
from services.solver.letters import Letters, newest
from services.solver.rank import Kernel, rank

# a row, the words that it leaves, and how many times the floor a ranking of them in C may take
BOARDS = (
    (Row("house", "IIIII"), 799, 3.5),
    (Row("pound", "IIIII"), 2477, 2.2),
    (Row("xylyl", "IIIII"), 5325, 1.8),
)
NUMPY_TO_C = 7
ROUNDS = 3
ROOT = Path(__file__).parents[3]
IMPORTS = "import numpy, msgspec, cachetools, structlog, prometheus_client, psutil"
START = """
from pathlib import Path
from libs.core.board import Row
from services.solver import ready
solver = ready.solver(Path({folder!r}))
solver.answer([Row("slate", "IIIII"), Row("mount", "IIIII")])
"""
OPEN = """
from services.solver import matrix
mapped = matrix.ready(Path({folder!r}), solver.letters)
"""


def measure(seconds: float, said: Callable[[str], None], *, with_doddle: bool = False) -> Sequence[Figure]:
    """All figures of the solver; every ranking is repeated for so long in each of three rounds."""
    words = newest()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        said("the kernels")
        found = [*_ranks(words, folder, seconds, said)]
        said("the matrix")
        found += _matrix(words, folder)
        if with_doddle:
            said("Doddle, which has to be installed first")
            found += _doddle(words, folder, seconds)
        said("a worker's start and memory")
        found += _worker(words, folder)
    return found


def _ranks(words: Letters, folder: Path, seconds: float, said: Callable[[str], None]) -> Iterator[Figure]:
    kernels: dict[str, Kernel] = {"numpy": kernel.load(words, folder)}
    try:
        build_kernel.build(folder)
        kernels["c"] = kernel.load(words, folder)
    except build_kernel.NotBuilt as reason:
        said(f"no kernel in C: {reason}")
    times: dict[tuple[str, int], float] = {}
    tick = cycle.seconds()
    for _ in range(ROUNDS):
        for row, count, _ in BOARDS:
            standing = words.standing(compile_rows([row]))
            for name, runs in kernels.items():
                time = least(partial(rank, runs, standing, standing), seconds)
                times[name, count] = min(time, times.get((name, count), time))
        tick = min(tick, cycle.seconds())
    yield figures.plain("one clock cycle", tick * 1e9, "ns")
    for _, count, goal in BOARDS:
        floor = count * count * tick
        if "c" in kernels:
            yield figures.plain(f"rank {count:,} words in C", times["c", count] * 1e3, "ms")
            yield figures.at_most("  of the floor, a cycle a pair", times["c", count] / floor, "x", goal)
        yield figures.plain(f"rank {count:,} words in numpy", times["numpy", count] * 1e3, "ms")
        if "c" in kernels:
            yield figures.at_most("  of the time in C", times["numpy", count] / times["c", count], "x", NUMPY_TO_C)


def _matrix(words: Letters, folder: Path) -> Iterator[Figure]:
    size = len(words.words) ** 2
    fill = least(lambda: np.empty(size, np.uint8).fill(1), 1)
    build = least(lambda: matrix.build(words), 2)
    matrix.ready(folder, words)
    yield figures.plain("fill as much fresh memory", fill * 1e3, "ms")
    yield figures.plain("build the matrix", build * 1e3, "ms")
    yield figures.at_most("  of filling the memory", build / fill, "x", 12)
    yield figures.plain("open the matrix and check it", least(lambda: matrix.ready(folder, words), 0.5) * 1e3, "ms")


def _doddle(words: Letters, folder: Path, seconds: float) -> Iterator[Figure]:
    mapped = matrix.ready(folder, words)
    runs = kernel.load(words, folder)
    ours: dict[int, float] = {}
    theirs: dict[int, float] = {}
    with doddle.installed() as peer:
        for row, _, _ in BOARDS:
            peer.take(words, mapped, words.standing(compile_rows([row])))
        for _ in range(ROUNDS):
            for row, count, _ in BOARDS:
                standing = words.standing(compile_rows([row]))
                time = least(partial(rank, runs, standing, standing), seconds)
                ours[count] = min(time, ours.get(count, time))
            for count, (time, best) in peer.rank(seconds).items():
                theirs[count] = min(time, theirs.get(count, time))
                standing = words.standing(compile_rows([next(row for row, size, _ in BOARDS if size == count)]))
                agreed = words.words[rank(runs, standing, standing).guesses[0]]
                if best != agreed:
                    raise RuntimeError(f"of {count} words Doddle names {best}, and we {agreed}")
    for count, time in sorted(theirs.items()):
        yield figures.plain(f"Doddle ranks {count:,} words", time * 1e3, "ms")
        yield figures.at_least("  of our time", time / ours[count], "x", 12)


def _worker(words: Letters, folder: Path) -> Iterator[Figure]:
    start, opened = (code.format(folder=str(folder)) for code in (START, OPEN))
    numpy, ready = (least(partial(_python, code), 3) for code in ("import numpy", start))
    yield figures.plain("start Python and import numpy", numpy * 1e3, "ms")
    yield figures.plain("start Python and answer a first board", ready * 1e3, "ms")
    yield figures.at_most("  of importing numpy", ready / numpy, "x", 2)
    mapped = matrix.ready(folder, words)  # by a first worker: the next one shares its pages
    own = private(start + opened) - private(IMPORTS)
    del mapped
    yield figures.at_most("memory of a further worker of its own", own, "MB", 5)


def _python(code: str) -> bytes:
    return subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, stdout=subprocess.PIPE).stdout


def private(code: str) -> float:
    """Private memory in MB of a process that has run this code."""
    return int(_python(f"{IMPORTS}\n{code}\nprint(psutil.Process().memory_full_info().uss)")) / 1e6

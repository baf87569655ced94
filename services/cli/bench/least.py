"""The least time of many: what a thing costs when nothing else is in its way."""

import time
from collections.abc import Callable

FEWEST = 5


def least(work: Callable[[], object], seconds: float) -> float:
    """The least time of the work in seconds, repeated for so long and five times at least."""
    best = float("inf")
    count = 0
    end = time.perf_counter() + seconds
    while count < FEWEST or time.perf_counter() < end:
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
        count += 1
    return best

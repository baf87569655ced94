"""Threads for what would hold up the event loop, with a bound on how much they are asked to do."""

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from libs.runtime.metrics import SOLVER_BUSY, SOLVER_QUEUE

THREADS = 2


class Busy(Exception):
    """As much is under way or waits as may; nothing was begun."""


class Threads:
    """A few threads; at most `most` pieces of work are under way or wait."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pool = ThreadPoolExecutor(THREADS, "solver")
        self._shared: dict[Hashable, asyncio.Future[Any]] = {}

    def share(self, name: Hashable, work: Callable[[], Any]) -> asyncio.Future[Any]:
        """What comes of the work, which is done once for all who ask for it by this name meanwhile. Raises `Busy`."""
        found = self._shared.get(name)
        if found is None:
            if len(self._shared) >= self._most:
                SOLVER_BUSY.inc()
                raise Busy
            found = self._shared[name] = asyncio.get_running_loop().run_in_executor(self._pool, work)
            found.add_done_callback(lambda _: self._done(name))
            SOLVER_QUEUE.inc()
        return found

    def _done(self, name: Hashable) -> None:
        del self._shared[name]
        SOLVER_QUEUE.dec()

    def close(self) -> None:
        """Take no more; what has not begun is dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)

"""The event loop that services and long commands run on."""

import gc
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run this to its end and answer with what it returns, as `asyncio.run` does. The process is for this alone."""
    _collect_less_often()
    return uvloop.run(main)


def _collect_less_often() -> None:
    """What is imported stays for good, and records are trees: looking for cycles finds next to none."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)

"""Waiting for what must come true, without guessing how long it takes."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TypeVar

T = TypeVar("T")


async def until(check: Callable[[], T | Awaitable[T]], seconds: float = 10.0) -> T:
    """The first true answer of `check`, asked again and again; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        answer = check()
        if isawaitable(answer):
            answer = await answer
        if answer:
            return answer
        assert time.monotonic() < deadline, f"still not true after {seconds:g} s: {check}"
        await asyncio.sleep(0.01)

"""Ending tasks for certain."""

import asyncio
from typing import Any

AGAIN = 1.0  # seconds


async def end(*tasks: asyncio.Future[Any]) -> None:
    """Cancel these tasks until they have ended, however they end.

    Once is not enough: before Python 3.12 a cancellation is lost when it meets the very answer that the task waits for
    (`asyncio.wait_for`, which the client of NATS uses).
    """
    while left := [task for task in tasks if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=AGAIN)

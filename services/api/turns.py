"""Turns: so many requests of one address are at work at once, more of it wait in line; nobody else waits for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.api.problems import Problem

AT_ONCE = 6  # fewer than make a solver busy, enough to keep one busy
PATIENCE = 1.0  # seconds in line


class Turns:
    """A line for each address that has something at work; forgotten when that is done."""

    def __init__(self, at_once: int = AT_ONCE, patience: float = PATIENCE) -> None:
        self._at_once = at_once
        self._patience = patience
        self._lines: dict[str, _Line] = {}

    def __len__(self) -> int:
        """How many addresses have something at work."""
        return len(self._lines)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait until it is this address's turn. Raises `Problem` (rate_limited) if that takes too long."""
        line = self._lines.get(address)
        if line is None:
            line = self._lines[address] = _Line(self._at_once)
        line.members += 1
        try:
            await self._wait(line.free)
            try:
                yield
            finally:
                line.free.release()
        finally:
            line.members -= 1
            if not line.members:
                del self._lines[address]

    async def _wait(self, free: asyncio.Semaphore) -> None:
        if not free.locked():
            await free.acquire()
            return
        try:
            async with asyncio.timeout(self._patience):
                await free.acquire()
        except TimeoutError:
            raise Problem("rate_limited", retry_after=1) from None


class _Line:
    """What is at work for one address, and who waits."""

    def __init__(self, at_once: int) -> None:
        self.free = asyncio.Semaphore(at_once)
        self.members = 0

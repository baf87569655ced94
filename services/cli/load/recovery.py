"""How long guesses could not be taken: outages of the service, and the longest wait of one player."""

import time

from msgspec import Struct


class Outage(Struct, frozen=True):
    """No guess was acknowledged from `began` (monotonic clock, seconds) on, for so long, though one was tried."""

    began: float
    seconds: float


class Recovery:
    """Told of every attempt at a guess by all players of a load."""

    def __init__(self) -> None:
        self.taken = 0  # guesses acknowledged
        self.outages: list[Outage] = []
        self.longest_wait = 0.0  # seconds from the first attempt at a guess to its acknowledgement
        self._last = time.monotonic()
        self._failed = False

    @property
    def down(self) -> float:
        """Seconds of all outages, that of this moment included."""
        now = time.monotonic() - self._last if self._failed else 0.0
        return now + sum(outage.seconds for outage in self.outages)

    def failed(self) -> None:
        """An attempt was not answered, or with an answer that left it open."""
        self._failed = True

    def acknowledged(self, first: float) -> None:
        """A guess was taken that was tried first at this time (monotonic clock)."""
        now = time.monotonic()
        if self._failed:
            self.outages.append(Outage(self._last, now - self._last))
            self._failed = False
        self._last = now
        self.taken += 1
        self.longest_wait = max(self.longest_wait, now - first)

"""How long no guess could be taken, by a ledger that looks at the time."""

import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from services.cli.load.ledger import Entry, Ledger, Refused, Sent, Taken


class Gap(Struct, frozen=True):
    """From the one instant to the other (monotonic clock, seconds) guesses waited, and none was acknowledged."""

    began: float
    ended: float


class Watched(Ledger):
    """A ledger that notes each gap; while nobody waits for a guess there is none."""

    def __init__(self, file: Path, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(file)
        self.guesses = 0  # acknowledged
        self.gaps: list[Gap] = []
        self._now = now
        self._last = now()
        self._waiting: dict[str, float] = {}  # keys of guesses: when each was sent first

    def write(self, entry: Entry) -> None:
        """Add a line."""
        super().write(entry)
        match entry:
            case Sent():
                self._waiting.setdefault(entry.key, self._now())
            case Taken() if entry.word and entry.key in self._waiting:
                now = self._now()
                self.gaps.append(Gap(max(self._last, min(self._waiting.values())), now))
                del self._waiting[entry.key]
                self._last = now
                self.guesses += 1
            case Refused(final=True):
                self._waiting.pop(entry.key, None)
            case _:
                pass

    def longest_gap(self, since: float) -> float:
        """The longest gap that had not ended at this instant, in seconds."""
        return max((gap.ended - gap.began for gap in self.gaps if gap.ended > since), default=0.0)

"""The ledger of a load: what players sent, were told and saw, one JSON line each, written as it happens.

It holds what a player may know: words, marks and views, but no tokens and no addresses.
"""

import os
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Self, TypeAlias

import msgspec
from msgspec import Raw, Struct

from libs.core.messages import GameId, PlayerId


class Sent(Struct, frozen=True, kw_only=True, tag="sent"):
    """A guess is about to be sent; whether it was taken is known only when `Taken` or `Refused` follows."""

    game: GameId
    by: PlayerId
    key: str
    word: str


class Taken(Struct, frozen=True, kw_only=True, tag="taken", omit_defaults=True):
    """A command was acknowledged, at this version of the game; a guess has a word and its marks."""

    game: GameId
    by: PlayerId
    key: str
    version: int
    word: str = ""
    marks: str = ""


class Refused(Struct, frozen=True, kw_only=True, tag="refused", omit_defaults=True):
    """A request was not done, or it is not known whether it was; status 0: there was no answer."""

    request: str  # method and route
    status: int
    code: str
    game: GameId = ""
    by: PlayerId = ""
    key: str = ""
    final: bool = False  # the service has decided: this command is in no log


class Seen(Struct, frozen=True, kw_only=True, tag="seen", omit_defaults=True):
    """A view as it came: in an answer, or on a socket that is followed under this name."""

    game: GameId
    by: PlayerId
    version: int
    view: Raw
    following: str = ""


class Audited(Struct, frozen=True, kw_only=True, tag="audited"):
    """What the service told a player to check an ended game by."""

    game: GameId
    by: PlayerId
    audit: Raw


Entry: TypeAlias = Sent | Taken | Refused | Seen | Audited

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


class Ledger:
    """A ledger being written; `counts` are its lines so far by tag, refusals by code."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._out: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self._out = self.file.open("ab")
        return self

    def __exit__(self, *_: object) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None

    def write(self, entry: Entry) -> None:
        """Add a line; once the ledger is closed, nothing."""
        if self._out is None:
            return
        self._out.write(_encoder.encode(entry) + b"\n")
        self.counts[str(entry.__struct_config__.tag)] += 1
        if isinstance(entry, Refused):
            self.refusals[entry.code] += 1

    def flush(self) -> None:
        """Let others read all lines so far."""
        if self._out is not None:
            self._out.flush()


class _Line(Struct):
    type: str
    game: GameId = ""
    code: str = ""


class Book:
    """A ledger read back, game by game: only where the lines are is held in memory."""

    def __init__(self, file: Path) -> None:
        """Raises `OSError`, or `msgspec.DecodeError` for what is no ledger."""
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._file = file
        self._lines: dict[GameId, array[int]] = {}
        at, head = 0, msgspec.json.Decoder(_Line)
        with file.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):  # whoever wrote it was killed while doing so
                    break
                said = head.decode(line)
                self.counts[said.type] += 1
                if said.code:
                    self.refusals[said.code] += 1
                if said.game:
                    self._lines.setdefault(said.game, array("Q")).append(at)
                at += len(line)

    @property
    def games(self) -> Sequence[GameId]:
        """The games that it speaks of, in the order of their first lines."""
        return list(self._lines)

    def pages(self) -> Iterator[tuple[GameId, list[Entry]]]:
        """Each game with its entries, in the order in which they were written."""
        with self._file.open("rb") as lines:
            for game, places in self._lines.items():
                found = []
                for place in places:
                    lines.seek(place, os.SEEK_SET)
                    found.append(_decoder.decode(lines.readline()))
                yield game, found

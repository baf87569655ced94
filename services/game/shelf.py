"""Open games that nobody asks for now, packed small: at their time, all of a day's are wanted at once."""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from libs.core.games import GAMES
from libs.core.messages import GameId

MOST = 200_000
"""How many games are kept packed; one takes 1 to 2 kB."""


class Packed(Struct, frozen=True, array_like=True):
    """What makes up a folded game beside its rules and its name."""

    version: int
    sequence: int
    at: datetime | None
    commands: Mapping[str, tuple[int, str]]
    state: Any


class _Box(Struct, frozen=True):
    kind: str
    sequence: int
    data: bytes


_encode = msgspec.msgpack.Encoder().encode


@cache
def _decoder(kind: str) -> msgspec.msgpack.Decoder[tuple[Any, ...]]:
    state: Any = type(GAMES[kind].start)
    parts: Any = tuple[int, int, datetime | None, dict[str, tuple[int, str]], state]
    return msgspec.msgpack.Decoder(parts)


class Shelf:
    """Packed games by id; the one that was put there first is thrown away when there are too many."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._boxes: OrderedDict[GameId, _Box] = OrderedDict()

    def put(self, game: GameId, kind: str, packed: Packed) -> None:
        """Keep a game."""
        self._boxes[game] = _Box(kind, packed.sequence, _encode(packed))
        if len(self._boxes) > self._most:
            self._boxes.popitem(last=False)

    def get(self, game: GameId) -> tuple[str, Packed] | None:
        """The kind of a game and what was kept of it; none if nothing was."""
        box = self._boxes.get(game)
        return None if box is None else (box.kind, Packed(*_decoder(box.kind).decode(box.data)))

    def drop(self, game: GameId) -> None:
        """Keep this game no longer."""
        self._boxes.pop(game, None)

    def sequence(self, game: GameId) -> int:
        """How far a game is known; 0 if it is not."""
        box = self._boxes.get(game)
        return 0 if box is None else box.sequence

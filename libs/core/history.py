"""Reading what is stored: the bytes of a record become a commit of today's events."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from libs.core import decoding
from libs.core.decider import Decider
from libs.core.games import GAMES
from libs.core.messages import Commit, Past
from libs.core.version import is_newer

Reader: TypeAlias = Callable[[bytes], Commit[Any]]
"""Raises `msgspec.DecodeError` for what is no commit of its game."""


class UnknownKind(ValueError):
    """No game of this kind is known here."""


class Newer(Exception):
    """A newer release has written this, and it cannot be read here: it is not damaged, and not for this copy."""


def reader(game: Decider[Any]) -> Reader:
    """How the records of this game are read; events of the past come as their counterparts of today."""
    commit: Any = Commit
    if game.past is None:
        return decoding.reader(commit[game.events])
    decode: Reader = decoding.reader(commit[game.events | game.past])
    return lambda data: _of_today(decode(data))


def _of_today(commit: Commit[Any]) -> Commit[Any]:
    if not any(isinstance(event, Past) for event in commit.events):
        return commit
    events = (event.today() if isinstance(event, Past) else [event] for event in commit.events)
    return replace(commit, events=[one for some in events for one in some])


@cache
def reader_of(kind: str) -> Reader:
    """How the records of this kind of game are read. Raises `UnknownKind`."""
    if kind not in GAMES:
        raise UnknownKind(kind)
    return reader(GAMES[kind])


def read(kind: str, data: bytes) -> Commit[Any]:
    """The commit in a record of this kind of game.

    Raises `Newer` if a newer release can read it, else `UnknownKind` or `msgspec.DecodeError`.
    """
    try:
        return reader_of(kind)(data)
    except (UnknownKind, msgspec.DecodeError):
        if is_newer(data):
            raise Newer("written by a newer release") from None
        raise

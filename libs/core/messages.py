"""Commands, events and the commit: what is asked, what has happened, and how it is stored."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

PlayerId: TypeAlias = str
GameId: TypeAlias = str

Tagged = TypeVar("Tagged")


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What somebody asks for. In the imperative; may be refused.

    What a browser sends holds only the fields of the subclass; who asks, and chance, come in as an `Asker`.
    """


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks, and the chance that goes with the question; filled in by the services, never by a browser."""

    by: PlayerId
    guest: bool = False
    operator: bool = False  # of the service: may do something about players
    origin: str = ""  # a guest's network address of this day, as a digest that tells it from others and no more
    seed: bytes = b""  # 32 fresh random bytes: salts and choices are drawn from it
    daily_key: bytes = b""  # the words of the Daily hang on it; empty where it is not known


CLOCK: PlayerId = "clock"
"""The asker of what time itself says; no player can have this id."""


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What happened. In the past tense; never refused, never renamed: the tag is stored for ever."""

    at: datetime  # UTC, microseconds: when the service received the command


class Past(Struct, frozen=True, kw_only=True, tag_field="type"):
    """An event as it was stored once; its game makes no more of them, and reads them for ever."""

    def today(self) -> Sequence[Event]:
        """The same in events of today."""
        raise NotImplementedError


class Commit(Struct, Generic[Tagged], frozen=True, kw_only=True, omit_defaults=True):
    """All events of one command: one stored record, so that they happen all or not at all.

    `id` names the command (`command_id`), `digest` what it asked, so that a repeated request is known however late it
    comes. `due` is when the game must next be told the time, as it stood after these events. `v` is the `VERSION` of
    the release that wrote it.
    """

    id: str
    by: PlayerId
    digest: str
    at: datetime
    events: Sequence[Tagged]
    due: datetime | None = None
    v: int = 1


def command_id(by: PlayerId, key: str) -> str:
    """The name of a command in the log: request keys of different players never meet."""
    return f"{by}:{key}"


def digest(command: Command) -> str:
    """What a command asked, as 32 hexadecimal digits; equal commands have equal digests."""
    return sha256(msgspec.json.encode(command)).hexdigest()[:32]


def utc(moment: datetime) -> datetime:
    """The same instant in UTC. Raises `ValueError` for a time without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone")
    return moment.astimezone(UTC)

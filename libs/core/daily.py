"""A day of the Daily: its word, its commitment, and the ids of what belongs to it."""

from datetime import date, timedelta
from functools import cache, lru_cache
from hashlib import sha256
from hmac import digest
from uuid import UUID

from msgspec import Struct

from libs.core import daily_order, lexicon
from libs.core.calendar import begin_of
from libs.core.commitments import commit_to
from libs.core.daily_order import FIRST_DAY, Edition
from libs.core.messages import GameId, PlayerId

ANNOUNCED = timedelta(days=7)
"""So far ahead it is published what the words will be held to."""


class Secret(Struct, frozen=True, kw_only=True):
    """The word of a day, and what anybody can check once it is over."""

    word: str
    salt: str
    commitment: str
    words: str  # the edition of the word lists that the day is played with


@lru_cache(256)
def secret_of(key: bytes, day: date) -> Secret:
    """What the day hides. Raises `ValueError` for a day before the first."""
    word = daily_order.word_of(key, editions(), day)
    salt = digest(key, f"salt {day}".encode(), "sha256").hex()[:32]
    return Secret(word=word, salt=salt, commitment=commit_to(word, salt), words=edition_of(day))


@cache
def editions() -> tuple[Edition, ...]:
    """The lists that the Daily's words have been taken from, each with its first day."""
    return tuple(Edition(day, lexicon.words(name, "secrets")) for day, name in lexicon.daily())


def edition_of(day: date) -> str:
    """The edition of the word lists that a day is played with. Raises `ValueError` for a day before the first."""
    if day < FIRST_DAY:
        raise ValueError(f"the first day is {FIRST_DAY}")
    return [name for begin, name in lexicon.daily() if begin <= day][-1]


def day_id(day: date) -> GameId:
    """The id under which the log keeps what is told of a day."""
    return _id(day, "day")


@lru_cache(10_000)
def attempt_id(player: PlayerId, day: date) -> GameId:
    """The id of this player's one attempt of a day: whoever makes it, on whichever device, makes the same."""
    return _id(day, "daily", player)


def _id(day: date, *whose: str) -> GameId:
    """A UUID of version 7 of the instant in which the day begins, whose other bits are no chance."""
    rest = sha256("\0".join((*whose, str(day))).encode()).digest()[:10]
    number = _begin(day) << 80 | int.from_bytes(rest, "big")
    number = number & ~(0xF000 << 64) | 0x7000 << 64
    return str(UUID(int=number & ~(0xC000 << 48) | 0x8000 << 48))


@lru_cache(256)
def _begin(day: date) -> int:
    return int(begin_of(day).timestamp() * 1000)

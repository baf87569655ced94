"""What is remembered of a person, and what they may see of it."""

from datetime import datetime
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from libs.core.decider import Invitation, Standing
from libs.core.games.person.events import (
    Closed,
    GuestJoined,
    LookedUp,
    Muted,
    PersonEvent,
    Renamed,
    Reopened,
    ReportDecided,
    Unmuted,
)
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused

KIND = "person"


class Person(Struct, frozen=True, kw_only=True):
    """A person after some events; the default is one of whom nothing has been told."""

    account: PlayerId | None = None
    guests: tuple[PlayerId, ...] = ()
    muted: Muted | None = None  # the mute that was not taken back; its time may be over
    closed: bool = False
    decided: frozenset[tuple[GameId, str]] = frozenset()  # messages of theirs whose reports are dealt with


class PersonView(Struct, frozen=True, kw_only=True):
    """What an account may know of itself."""

    id: GameId
    kind: str
    version: int
    guests: tuple[PlayerId, ...]


def evolve(person: Person, event: PersonEvent) -> Person:
    """The person after one more event."""
    match event:
        case GuestJoined():
            return replace(person, account=event.account, guests=(*person.guests, event.guest))
        case Muted():
            return replace(person, muted=event)
        case Unmuted():
            return replace(person, muted=None)
        case Closed():
            return replace(person, closed=True)
        case Reopened():
            return replace(person, closed=False)
        case ReportDecided():
            return replace(person, decided=person.decided | {(event.in_game, event.message)})
        case Renamed() | LookedUp():
            return person
        case _:
            assert_never(event)


def is_muted(person: Person, now: datetime) -> bool:
    """Is a mute in force at this instant (UTC)?"""
    return person.muted is not None and (person.muted.until is None or now < person.muted.until)


def standing(_: Person) -> Standing:
    """What the services must know: nobody sits here, and nothing is ever due."""
    return Standing(players=(), ended=False, due=None, chat_until=None)


def view(person: Person, player: PlayerId, version: int) -> PersonView:
    """What this account may see of itself. Raises `Refused` for anybody else."""
    if person.account is None:
        raise Refused(Reason.UNKNOWN_GAME)
    if player != person.account:
        raise Refused(Reason.NOT_A_PLAYER)
    return PersonView(id=person.account, kind=KIND, version=version, guests=person.guests)


def invitation(_: Person, __: datetime) -> Invitation | None:
    """None: nobody is invited to a person."""
    return None

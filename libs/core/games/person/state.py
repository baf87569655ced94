"""What is remembered of a person, and what they may see of it."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from libs.core.decider import Invitation, Standing
from libs.core.games.person.events import PersonEvent
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused

KIND = "person"


class Person(Struct, frozen=True, kw_only=True):
    """A person after some events; the default is one of whom nothing has been told."""

    account: PlayerId | None = None
    guests: tuple[PlayerId, ...] = ()


class PersonView(Struct, frozen=True, kw_only=True):
    """What an account may know of itself."""

    id: GameId
    kind: str
    version: int
    guests: tuple[PlayerId, ...]


def evolve(person: Person, event: PersonEvent) -> Person:
    """The person after one more event."""
    return replace(person, account=event.account, guests=(*person.guests, event.guest))


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

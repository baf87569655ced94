"""What is told of a person; stored for ever. Names, addresses and what was said are never told."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias

from msgspec.structs import replace

from libs.core import facts as fact
from libs.core.messages import Event, GameId, PlayerId


class GuestJoined(Event, frozen=True, kw_only=True, tag="guest_joined"):
    """The guest is a part of the account from now on; if the ids are equal, the guest has become the account."""

    account: PlayerId
    guest: PlayerId


class Acted(Event, frozen=True, kw_only=True):
    """What an operator has done about a player, and why."""

    by: PlayerId
    player: PlayerId
    why: str


class Muted(Acted, frozen=True, kw_only=True, tag="muted"):
    """The player writes in no chat before this instant (UTC); never again, if there is none."""

    until: datetime | None


class Unmuted(Acted, frozen=True, kw_only=True, tag="unmuted"):
    """The player may write again."""


class Renamed(Acted, frozen=True, kw_only=True, tag="renamed"):
    """The player's name was taken from them."""


class Closed(Acted, frozen=True, kw_only=True, tag="closed"):
    """The player's sessions have ended, and they sign in no more."""


class Reopened(Acted, frozen=True, kw_only=True, tag="reopened"):
    """The player may sign in again."""


class ReportDecided(Acted, frozen=True, kw_only=True, tag="report_decided"):
    """The reports of a message of this player are dealt with. `upheld`: it was right to report it."""

    in_game: GameId
    message: str
    upheld: bool


class LookedUp(Acted, frozen=True, kw_only=True, tag="looked_up"):
    """The operator has looked at a game as the player saw it at this version."""

    in_game: GameId
    version: int


Moderated: TypeAlias = Muted | Unmuted | Renamed | Closed | Reopened | ReportDecided | LookedUp
PersonEvent: TypeAlias = GuestJoined | Moderated


_WHAT: dict[type[Event], fact.Action] = {
    Muted: "muted",
    Unmuted: "unmuted",
    Renamed: "renamed",
    Closed: "closed",
    Reopened: "reopened",
    ReportDecided: "report_decided",
    LookedUp: "looked_up",
}


def facts(event: PersonEvent) -> Iterable[fact.Fact]:
    """The event in the words of the projections."""
    if isinstance(event, GuestJoined):
        yield fact.GuestJoined(account=event.account, guest=event.guest)
        return
    done = fact.Moderated(player=event.player, by=event.by, what=_WHAT[type(event)], why=event.why)
    match event:
        case Muted():
            done = replace(done, until=event.until)
        case ReportDecided():
            done = replace(done, in_game=event.in_game, message=event.message, upheld=event.upheld)
        case LookedUp():
            done = replace(done, in_game=event.in_game, version=event.version)
        case _:
            pass
    yield done


def claims(_: PersonEvent) -> Iterable[str]:
    """Nothing: whoever signs a guest in has seen to it that it belongs to nobody else."""
    return ()

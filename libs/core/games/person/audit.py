"""Checking what is told of a person."""

from collections.abc import Iterable, Sequence
from typing import NoReturn

from libs.core.games.auditing import out_of_order
from libs.core.games.person.events import (
    Closed,
    GuestJoined,
    Moderated,
    Muted,
    PersonEvent,
    Reopened,
    ReportDecided,
    Unmuted,
)
from libs.core.games.person.state import Person, evolve, is_muted
from libs.core.messages import Commit, PlayerId
from libs.core.refusals import Reason, Refused


def audit(_: Sequence[Commit[PersonEvent]]) -> NoReturn:
    """Raises `Refused` (not_ended): a person is no game that comes to an end."""
    raise Refused(Reason.NOT_ENDED)


def problems(history: Sequence[Commit[PersonEvent]]) -> Iterable[str]:
    """What in this history disagrees with the rules, one sentence each; nothing if all is right."""
    yield from out_of_order(history)
    person, about = Person(), set[PlayerId]()
    for number, commit in enumerate(history, 1):
        for event in commit.events:
            about.add(event.account if isinstance(event, GuestJoined) else event.player)
            if len(about) > 1:
                yield f"record {number}: it is about another person"
            found = _of_guest(person, event, commit.by) if isinstance(event, GuestJoined) else _of_act(person, event)
            yield from (f"record {number}: {problem}" for problem in found)
            person = evolve(person, event)


def _of_guest(person: Person, event: GuestJoined, by: PlayerId) -> Iterable[str]:
    if event.account != by:
        yield "an account that others speak for"
    if event.guest in person.guests:
        yield "the guest has joined twice"


def _of_act(person: Person, event: Moderated) -> Iterable[str]:
    if not event.why.strip():
        yield "an operator has acted without saying why"
    match event:
        case Muted() if event.until is not None and event.until <= event.at:
            yield "a mute that ends before it begins"
        case Unmuted() if not is_muted(person, event.at):
            yield "a mute was taken back that was none"
        case Closed() if person.closed:
            yield "the account was closed twice"
        case Reopened() if not person.closed:
            yield "an account was reopened that was not closed"
        case ReportDecided() if (event.in_game, event.message) in person.decided:
            yield "the reports of one message were decided twice"
        case _:
            pass

"""Checking what is told of a person."""

from collections.abc import Iterable, Sequence
from typing import NoReturn

from libs.core.games.order import out_of_order
from libs.core.games.person.events import PersonEvent
from libs.core.messages import Commit
from libs.core.refusals import Reason, Refused


def audit(_: Sequence[Commit[PersonEvent]]) -> NoReturn:
    """Raises `Refused` (not_ended): a person is no game that comes to an end."""
    raise Refused(Reason.NOT_ENDED)


def problems(history: Sequence[Commit[PersonEvent]]) -> Iterable[str]:
    """What in this history disagrees with the rules, one sentence each; nothing if all is right."""
    yield from out_of_order(history)
    guests: set[str] = set()
    for number, commit in enumerate(history, 1):
        for event in commit.events:
            if event.account != commit.by:
                yield f"record {number}: an account that others speak for"
            if event.guest in guests:
                yield f"record {number}: the guest has joined twice"
            guests.add(event.guest)

"""Checking a day after the fact: its commitment, and what it was opened with."""

from collections.abc import Iterable, Sequence
from functools import reduce

from msgspec import Struct

from libs.core import daily, lexicon
from libs.core.calendar import close_of
from libs.core.commitments import holds
from libs.core.games.auditing import walk
from libs.core.games.day.events import Announced, DayEvent, Revealed
from libs.core.games.day.state import Day, evolve
from libs.core.messages import Commit
from libs.core.refusals import Reason, Refused


class DayAudit(Struct, frozen=True, kw_only=True):
    """All that was told of a day that is over."""

    announced: Announced
    revealed: Revealed


def audit(history: Sequence[Commit[DayEvent]]) -> DayAudit:
    """What anybody may check. Raises `Refused` (not_ended) as long as the day is not over."""
    day = reduce(evolve, (event for commit in history for event in commit.events), Day())
    if day.announced is None or day.revealed is None:
        raise Refused(Reason.NOT_ENDED)
    return DayAudit(announced=day.announced, revealed=day.revealed)


def problems(history: Sequence[Commit[DayEvent]]) -> Iterable[str]:
    """What in this history disagrees with the rules, one sentence each; nothing if all is right."""
    yield from walk(history, Day(), evolve, _problems)


def _problems(day: Day, event: DayEvent) -> Iterable[str]:
    match event:
        case Announced():
            if day.announced:
                yield "the day was announced twice"
            if event.at >= close_of(event.day):
                yield "the day was announced when it was over"
        case Revealed():
            yield from _of_end(day, event)


def _of_end(day: Day, event: Revealed) -> Iterable[str]:
    if day.revealed:
        yield "the word was revealed twice"
    if day.announced is None or event.day != day.announced.day:
        yield "the word of a day that was not announced"
        return
    if event.at != close_of(event.day):
        yield "it was not revealed at the midnight that ends the day"
    if not holds(day.announced.commitment, event.word, event.salt):
        yield "the commitment was not made for this word and salt"
    if not lexicon.edition(daily.edition_of(event.day)).has_secret(event.word):
        yield "the word is not in the list"

"""Checking a duel after the fact: what its players may see once it has ended, and what an auditor finds wrong."""

from collections.abc import Iterable, Sequence
from functools import reduce

from libs.core import lexicon
from libs.core.calendar import close_of, eastern_day, invite_expires
from libs.core.commitments import holds
from libs.core.games.auditing import GameAudit, walk
from libs.core.games.duel.events import DuelEvent, Ended, Guessed, Joined, Opened, SecretSet, Started
from libs.core.games.duel.state import KIND, Duel, evolve, scores
from libs.core.marks import mark
from libs.core.messages import Commit
from libs.core.refusals import Reason, Refused


def audit(history: Sequence[Commit[DuelEvent]]) -> GameAudit:
    """What both players may check.

    Raises `Refused`: not_ended as long as anything must stay hidden, not_possible for an invite that came to nothing.
    """
    events = tuple(event for commit in history for event in commit.events)
    duel = reduce(evolve, events, Duel())
    if duel.void:
        raise Refused(Reason.NOT_POSSIBLE)
    if duel.ended is None:
        raise Refused(Reason.NOT_ENDED)
    return GameAudit(
        game=duel.game,
        kind=KIND,
        words=duel.words,
        players=tuple(seat.player for seat in duel.seats),
        events=events,
        commitments={seat.player: seat.commitment for seat in duel.seats},
        salts={seat.player: seat.salt for seat in duel.seats},
        secrets={seat.player: seat.secret for seat in duel.seats},
    )


def problems(history: Sequence[Commit[DuelEvent]]) -> Iterable[str]:
    """What in this history disagrees with the rules, one sentence each; nothing if all is right."""
    duel = yield from walk(history, Duel(), evolve, _problems)
    finished = duel.ready and all(seat.finished for seat in duel.seats)
    if finished and duel.ended is None:
        yield "both have finished, and the game has not ended"


def _problems(duel: Duel, event: DuelEvent) -> Iterable[str]:
    if not isinstance(event, Opened) and not duel.game:
        yield "something happened before the game was opened"
    if duel.ended or duel.void:
        yield "something happened after the end"
    match event:
        case Opened():
            if duel.game:
                yield "the game was opened twice"
            if event.expires_at not in (None, invite_expires(event.at)):
                yield "the invite does not last seven days"
        case Joined():
            if len(duel.seats) != 1 or duel.seat(event.player):
                yield "a seat was taken that was not free"
        case SecretSet():
            yield from _of_secret(duel, event)
        case Started():
            if event.day != eastern_day(event.at) or event.closes_at != close_of(event.day):
                yield "it does not close at the midnight that ends the day of its start"
        case Guessed():
            yield from _of_guess(duel, event)
        case Ended():
            yield from _of_end(duel, event)
        case _:
            pass


def _of_secret(duel: Duel, event: SecretSet) -> Iterable[str]:
    seat = duel.seat(event.by)
    if seat is None or seat.secret is not None:
        yield "a secret was set by who may not, or twice"
    if not holds(event.commitment, event.word, event.salt):
        yield "a commitment was not made for its word and salt"
    if not lexicon.edition(duel.words).has_secret(event.word):
        yield "a secret is not in the list"


def _of_guess(duel: Duel, event: Guessed) -> Iterable[str]:
    seat, other = duel.seat(event.by), duel.other(event.by)
    if seat is None or other is None or other.secret is None or not duel.ready:
        yield "a guess by who may not, or before both secrets were set"
        return
    if event.marks != mark(event.word, other.secret):
        yield f"guess {event.number} of {event.by}: the marks are not right"
    if seat.finished or event.number != len(seat.guesses) + 1:
        yield f"guess {event.number} of {event.by}: one too many, or out of order"
    if duel.closes_at is None or event.at >= duel.closes_at:
        yield f"guess {event.number} of {event.by}: after the close"
    if event.word not in lexicon.edition(duel.words).guesses:
        yield f"guess {event.number} of {event.by}: not in the list"


def _of_end(duel: Duel, event: Ended) -> Iterable[str]:
    if event.scores != scores(duel.seats):
        yield "the result is not the one that the guesses give"
    if not duel.ready:
        if duel.closes_at is None or event.at > duel.closes_at:
            yield "it did not end at its midnight, or before"
        return
    times = [guess.at for seat in duel.seats for guess in seat.guesses]
    right = max(times) if all(seat.finished for seat in duel.seats) else duel.closes_at
    if event.at != right:
        yield "it did not end with the last guess or at its midnight"

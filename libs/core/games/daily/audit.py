"""Checking an attempt at the Daily after the fact: what its player may see then, and what an auditor finds wrong."""

from collections.abc import Iterable, Sequence
from functools import reduce

from libs.core import daily, lexicon
from libs.core.calendar import close_of, eastern_day
from libs.core.games.auditing import GameAudit, walk
from libs.core.games.daily.events import Begun, DailyEvent, Guessed
from libs.core.games.daily.state import KIND, Attempt, end_of, evolve
from libs.core.marks import mark
from libs.core.messages import Commit
from libs.core.refusals import Reason, Refused


def audit(history: Sequence[Commit[DailyEvent]]) -> GameAudit:
    """What its player may check; the commitment's salt is the day's, and known once that is over.

    Raises `Refused` (not_ended) as long as the word must stay hidden.
    """
    events = tuple(event for commit in history for event in commit.events)
    attempt = reduce(evolve, events, Attempt())
    begun = attempt.begun
    if begun is None or attempt.ended is None:
        raise Refused(Reason.NOT_ENDED)
    return GameAudit(
        game=begun.game,
        kind=KIND,
        words=begun.words,
        players=(begun.player,),
        events=events,
        commitments={begun.player: begun.commitment},
        salts={begun.player: None},
        secrets={begun.player: begun.word},
    )


def problems(history: Sequence[Commit[DailyEvent]]) -> Iterable[str]:
    """What in this history disagrees with the rules, one sentence each; nothing if all is right."""
    attempt = yield from walk(history, Attempt(), evolve, _problems)
    if attempt.finished and attempt.ended is None:
        yield "all is guessed, and the attempt has not ended"


def _problems(attempt: Attempt, event: DailyEvent) -> Iterable[str]:
    if attempt.ended:
        yield "something happened after the end"
    if isinstance(event, Begun):
        yield from _of_begin(attempt, event)
    elif attempt.begun is None:
        yield "something happened before the attempt was begun"
    elif isinstance(event, Guessed):
        yield from _of_guess(attempt, attempt.begun, event)
    elif event != end_of(attempt, attempt.begun):
        yield "the result, its time or its end is not what the guesses give"


def _of_begin(attempt: Attempt, event: Begun) -> Iterable[str]:
    if attempt.begun:
        yield "the attempt was begun twice"
    if event.day != eastern_day(event.at) or event.closes_at != close_of(event.day):
        yield "it does not close at the midnight that ends the day of its first guess"
    if event.game != daily.attempt_id(event.player, event.day):
        yield "it is not this player's one attempt of the day"
    if event.words != daily.edition_of(event.day):
        yield "it is not played with the word lists of its day"
    if not lexicon.edition(event.words).has_secret(event.word):
        yield "the word of the day is not in the list"
    if event.origin and not event.guest:
        yield "an account with a guest's origin"


def _of_guess(attempt: Attempt, begun: Begun, event: Guessed) -> Iterable[str]:
    if event.by != begun.player:
        yield f"guess {event.number}: by who may not"
    if event.marks != mark(event.word, begun.word):
        yield f"guess {event.number}: the marks are not right"
    if attempt.finished or event.number != len(attempt.guesses) + 1:
        yield f"guess {event.number}: one too many, or out of order"
    if event.at >= begun.closes_at:
        yield f"guess {event.number}: after the close"
    if event.word not in lexicon.edition(begun.words).guesses:
        yield f"guess {event.number}: not in the list"

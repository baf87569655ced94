"""What operators do about a person: by operators alone, each with a reason, and nothing twice."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from libs.core import facts as fact
from libs.core.games.person import PERSON as GAME
from libs.core.games.person import commands, events
from libs.core.games.person.commands import LONGEST_WHY, Act, Close, DecideReport, LookUp, Mute, Rename, Reopen, Unmute
from libs.core.games.person.events import Acted, Closed, LookedUp, Muted, Renamed, Reopened, ReportDecided, Unmuted
from libs.core.messages import Asker, Commit, Event
from libs.core.refusals import Reason, Refused
from tests.core.games.daily.dailies import NOON

LATER = NOON + timedelta(hours=1)
WHO = {"player": "ann", "why": "insults"}
DONE: dict[str, Any] = {"by": "olga", **WHO}
REPORT = {"in_game": "a game", "message": "a message"}

MUTED = Muted(at=NOON, until=NOON + timedelta(minutes=2), **DONE)
FOR_GOOD = Muted(at=NOON, until=None, **DONE)
CLOSED = Closed(at=NOON, **DONE)
DECIDED = ReportDecided(at=NOON, **DONE, **REPORT, upheld=True)


def decide(command: Act, *before: Event, operator: bool = True) -> list[Event]:
    """What follows an hour later, if `olga` asks for it."""
    asker = Asker(by="olga", operator=operator)
    return list(GAME.decide(GAME.apply(GAME.start, before), command, asker, LATER))


@pytest.mark.parametrize(
    ("command", "event"),
    [
        (Mute(**WHO, seconds=3600), Muted(at=LATER, until=LATER + timedelta(hours=1), **DONE)),
        (Mute(**WHO), Muted(at=LATER, until=None, **DONE)),
        (Rename(**WHO), Renamed(at=LATER, **DONE)),
        (Close(**WHO), Closed(at=LATER, **DONE)),
        (DecideReport(**WHO, **REPORT, upheld=False), ReportDecided(at=LATER, **DONE, **REPORT, upheld=False)),
        (LookUp(**WHO, in_game="a game", version=3), LookedUp(at=LATER, **DONE, in_game="a game", version=3)),
    ],
)
def test_an_operator_acts_and_nobody_else(command: Act, event: Acted) -> None:
    assert decide(command) == [event]
    with pytest.raises(Refused, match="not_an_operator"):
        decide(command, operator=False)


def test_what_was_done_is_taken_back_once() -> None:
    assert decide(Unmute(**WHO), FOR_GOOD) == [Unmuted(at=LATER, **DONE)]
    assert decide(Unmute(**WHO), FOR_GOOD, Unmuted(at=NOON, **DONE)) == []
    assert decide(Reopen(**WHO), CLOSED) == [Reopened(at=LATER, **DONE)]
    assert decide(Reopen(**WHO)) == []


def test_a_mute_whose_time_is_over_is_none() -> None:
    assert decide(Unmute(**WHO), MUTED) == []


def test_what_is_so_already_is_not_done_again() -> None:
    assert decide(Mute(**WHO), FOR_GOOD) == []
    assert decide(Close(**WHO), CLOSED) == []
    assert decide(Mute(**WHO), MUTED) == [Muted(at=LATER, until=None, **DONE)]
    assert len(decide(Rename(**WHO), Renamed(at=NOON, **DONE))) == 1


def test_nobody_closes_their_own_account() -> None:
    own = {"player": "olga", "why": "a test"}
    for before in ([], [Closed(at=NOON, by="otto", **own)]):
        with pytest.raises(Refused, match="own_account"):
            decide(Close(**own), *before)
    assert decide(Rename(**own)) == [Renamed(at=LATER, by="olga", **own)]


def test_the_reports_of_a_message_are_decided_once() -> None:
    for upheld in (True, False):
        with pytest.raises(Refused) as caught:
            decide(DecideReport(**WHO, **REPORT, upheld=upheld), DECIDED)
        assert caught.value.reason == Reason.REPORT_DECIDED
    other = DecideReport(**WHO, in_game="a game", message="another", upheld=True)
    assert len(decide(other, DECIDED)) == 1


@pytest.mark.parametrize("why", ["", "  ", "two\nlines", "a line\n", "\x07", "x" * (LONGEST_WHY + 1)])
def test_a_reason_is_one_line_that_says_something(why: str) -> None:
    for good in ("insults", "x" * LONGEST_WHY, "grob unhöflich"):
        msgspec.convert({"type": "close", "player": "ann", "why": good}, commands.Moderation)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "close", "player": "ann", "why": why}, commands.Moderation)


@pytest.mark.parametrize("seconds", [0, 59, -1, commands.TEN_YEARS + 1, 60.5])
def test_a_mute_lasts_a_minute_to_ten_years(seconds: float) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "mute", "player": "ann", "why": "x", "seconds": seconds}, commands.Moderation)


def test_the_projections_are_told_what_was_done() -> None:
    told = {"player": "ann", "by": "olga", "why": "insults"}
    assert list(GAME.facts(MUTED)) == [fact.Moderated(**told, what="muted", until=MUTED.until)]
    assert list(GAME.facts(CLOSED)) == [fact.Moderated(**told, what="closed")]
    assert list(GAME.facts(DECIDED)) == [fact.Moderated(**told, what="report_decided", **REPORT, upheld=True)]
    looked = LookedUp(at=NOON, **DONE, in_game="a game", version=3)
    assert list(GAME.facts(looked)) == [fact.Moderated(**told, what="looked_up", in_game="a game", version=3)]


@pytest.mark.parametrize(
    ("history", "problem"),
    [
        ([CLOSED, CLOSED], "record 2: the account was closed twice"),
        ([Reopened(at=NOON, **DONE)], "record 1: an account was reopened that was not closed"),
        ([Unmuted(at=NOON, **DONE)], "record 1: a mute was taken back that was none"),
        ([MUTED, Unmuted(at=LATER, **DONE)], "record 2: a mute was taken back that was none"),
        ([Muted(at=NOON, until=NOON, **DONE)], "record 1: a mute that ends before it begins"),
        ([DECIDED, DECIDED], "record 2: the reports of one message were decided twice"),
        ([Closed(at=NOON, by="olga", player="ann", why=" ")], "record 1: an operator has acted without saying why"),
        (
            [FOR_GOOD, Closed(at=NOON, by="olga", player="bob", why="insults")],
            "record 2: it is about another person",
        ),
    ],
)
def test_an_auditor_names_what_is_wrong(history: list[events.PersonEvent], problem: str) -> None:
    commits = [
        Commit(id=f"olga:{number}", by="olga", digest="", at=event.at, events=[event])
        for number, event in enumerate(history)
    ]
    assert list(GAME.problems(commits)) == [problem]

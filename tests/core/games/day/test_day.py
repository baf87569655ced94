"""A day of the Daily as everybody sees it: promised before, opened after."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from libs.core import facts as fact
from libs.core.commitments import holds
from libs.core.games.day import DAY as GAME
from libs.core.games.day.commands import Announce, Wake
from libs.core.games.day.events import Announced, Revealed
from libs.core.messages import CLOCK, Asker, Commit
from libs.core.refusals import Reason, Refused
from tests.core.games.daily.dailies import DAY, MIDNIGHT, NOON, SECRET
from tests.given import SEED, given

BEFORE = NOON - timedelta(days=7)
ANNOUNCED = Announced(at=BEFORE, day=DAY, commitment=SECRET.commitment)
REVEALED = Revealed(at=MIDNIGHT, day=DAY, word="quote", salt=SECRET.salt)
TICK = timedelta(microseconds=1)


def test_the_commitment_is_published_and_nothing_else() -> None:
    given(GAME).when(Announce(day=DAY), CLOCK, BEFORE).then(ANNOUNCED)
    stored = msgspec.json.encode(ANNOUNCED)
    assert b"quote" not in stored
    assert SECRET.salt.encode() not in stored


def test_announced_again_it_stays_as_it_is() -> None:
    given(GAME, ANNOUNCED).when(Announce(day=DAY), CLOCK, NOON).then()


def test_the_word_is_revealed_when_the_day_is_over_whenever_that_is_noticed() -> None:
    given(GAME, ANNOUNCED).when(Wake(), CLOCK, MIDNIGHT - TICK).then()
    for now in (MIDNIGHT, MIDNIGHT + timedelta(days=3)):
        given(GAME, ANNOUNCED).when(Wake(), CLOCK, now).then(REVEALED)
    given(GAME, ANNOUNCED, REVEALED).when(Wake(), CLOCK, MIDNIGHT).then()
    given(GAME).when(Wake(), CLOCK, MIDNIGHT).then()
    assert holds(ANNOUNCED.commitment, REVEALED.word, REVEALED.salt)


@pytest.mark.parametrize("command", [Announce(day=DAY), Wake()])
def test_only_the_clock_speaks(command: Any) -> None:
    given(GAME).when(command, "ann", BEFORE).refused(Reason.NOT_A_PLAYER)


def test_a_day_that_is_over_or_before_the_first_is_not_announced() -> None:
    given(GAME).when(Announce(day=DAY), CLOCK, MIDNIGHT).refused(Reason.CLOSED)
    given(GAME).when(Announce(day=date(2025, 12, 31)), CLOCK, BEFORE).refused(Reason.CLOSED)
    assert len(given(GAME).when(Announce(day=DAY), CLOCK, MIDNIGHT - TICK).decide()) == 1


def test_without_the_key_nothing_is_promised() -> None:
    with pytest.raises(Refused, match="not_possible"):
        GAME.decide(GAME.start, Announce(day=DAY), Asker(by=CLOCK, seed=SEED), BEFORE)


def seen(*events: Any) -> Any:
    return GAME.view(GAME.apply(GAME.start, events), "anybody", len(events))


def test_anybody_sees_the_commitment_and_word_and_salt_only_afterwards() -> None:
    before = seen(ANNOUNCED)
    assert (before.commitment, before.announced_at, before.word, before.salt) == (SECRET.commitment, BEFORE, None, None)
    assert (seen(ANNOUNCED, REVEALED).word, seen(ANNOUNCED, REVEALED).salt) == ("quote", SECRET.salt)
    with pytest.raises(Refused, match="unknown_game"):
        seen()


def test_it_is_due_at_its_midnight_and_nobody_sits_there() -> None:
    def standing(*events: Any) -> Any:
        return GAME.standing(GAME.apply(GAME.start, events))

    assert [standing().due, standing(ANNOUNCED).due, standing(ANNOUNCED, REVEALED).due] == [None, MIDNIGHT, None]
    assert standing(ANNOUNCED).players == ()
    assert standing(ANNOUNCED, REVEALED).ended


def test_what_is_told_of_a_day_is_told_to_the_projections() -> None:
    assert [told for event in (ANNOUNCED, REVEALED) for told in GAME.facts(event)] == [
        fact.Announced(day=DAY, commitment=SECRET.commitment),
        fact.Revealed(day=DAY, word="quote", salt=SECRET.salt),
    ]


def history(*events: Any) -> Sequence[Commit[Any]]:
    return [
        Commit(id=f"clock:{number}", by=CLOCK, digest="", at=event.at, events=[event])
        for number, event in enumerate(events)
    ]


def test_a_day_that_went_by_the_rules_has_no_problem() -> None:
    assert list(GAME.problems(history(ANNOUNCED, REVEALED))) == []
    assert GAME.audit(history(ANNOUNCED, REVEALED)).revealed == REVEALED
    with pytest.raises(Refused, match="not_ended"):
        GAME.audit(history(ANNOUNCED))


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ((ANNOUNCED, ANNOUNCED), "record 2: the day was announced twice"),
        ((replace(ANNOUNCED, at=MIDNIGHT),), "record 1: the day was announced when it was over"),
        ((REVEALED,), "record 1: the word of a day that was not announced"),
        ((ANNOUNCED, REVEALED, REVEALED), "record 3: the word was revealed twice"),
        ((ANNOUNCED, replace(REVEALED, at=MIDNIGHT + TICK)), "record 2: it was not revealed at the midnight"),
        ((ANNOUNCED, replace(REVEALED, word="miner")), "record 2: the commitment was not made for this word and salt"),
        ((ANNOUNCED, replace(REVEALED, word="zzzzz")), "record 2: the word is not in the list"),
    ],
)
def test_what_is_wrong_is_named(events: Sequence[Any], problem: str) -> None:
    found = list(GAME.problems(history(*events)))
    assert [one for one in found if one.startswith(problem)], found

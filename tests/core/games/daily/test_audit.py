"""What an auditor finds wrong in an attempt, and what its player may check."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from libs.core.games.daily import DAILY
from libs.core.messages import Commit
from libs.core.refusals import Refused
from tests.core.games.daily.dailies import (
    FIVE,
    MIDNIGHT,
    NOON,
    SOLVED,
    after,
    begun,
    ended,
    guessed,
)

FAILED = (*FIVE, guessed("geese", 6, 6), ended(after(6), solved=False, guesses=6))
CLOSED = (*FIVE, ended(MIDNIGHT, solved=False, guesses=5))


def history(*events: Any) -> Sequence[Commit[Any]]:
    return [
        Commit(id=f"ann:{number}", by="ann", digest="", at=event.at, events=[event])
        for number, event in enumerate(events)
    ]


@pytest.mark.parametrize("events", [SOLVED, FAILED, CLOSED, FIVE])
def test_what_went_by_the_rules_has_no_problem(events: Any) -> None:
    assert list(DAILY.problems(history(*events))) == []


def wrong(events: Sequence[Any], place: int, **changes: Any) -> Sequence[Any]:
    return [replace(event, **changes) if number == place else event for number, event in enumerate(events)]


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        (wrong(SOLVED, 1, marks="IIIII"), "record 2: guess 1: the marks are not right"),
        (wrong(FAILED, 2, number=1), "record 3: guess 1: one too many, or out of order"),
        (wrong(SOLVED, 1, by="eve"), "record 2: guess 1: by who may not"),
        (wrong(SOLVED, 1, word="zzzzz", marks="IIIII"), "record 2: guess 1: not in the list"),
        ((*FIVE, replace(guessed("geese", 6), at=MIDNIGHT)), "record 7: guess 6: after the close"),
        (wrong(SOLVED, 2, elapsed_us=1), "record 3: the result, its time or its end is not what the guesses give"),
        (wrong(SOLVED, 2, guesses=2), "record 3: the result, its time or its end is not what the guesses give"),
        (wrong(CLOSED, 6, at=after(9)), "record 7: the result, its time or its end is not what the guesses give"),
        (wrong(FAILED, 7, player="eve"), "record 8: the result, its time or its end is not what the guesses give"),
        ((*SOLVED, guessed("slate", 2, 9)), "record 4: something happened after the end"),
        (FAILED[:-1], "all is guessed, and the attempt has not ended"),
        ((begun(), begun()), "record 2: the attempt was begun twice"),
        ((guessed("slate"),), "record 1: something happened before the attempt was begun"),
        (wrong(FIVE, 0, closes_at=MIDNIGHT + timedelta(hours=1)), "record 1: it does not close at the midnight"),
        (wrong(FIVE, 0, game="another"), "record 1: it is not this player's one attempt of the day"),
        (wrong(FIVE, 0, word="zzzzz"), "record 1: the word of the day is not in the list"),
        (wrong(FIVE, 0, origin="5f1c"), "record 1: an account with a guest's origin"),
        (wrong(FIVE, 2, at=NOON - timedelta(seconds=1)), "record 3: it is earlier than the one before"),
    ],
)
def test_what_is_wrong_is_named(events: Sequence[Any], problem: str) -> None:
    found = list(DAILY.problems(history(*events)))
    assert [one for one in found if one.startswith(problem)], found


def test_a_command_that_was_taken_twice_is_named() -> None:
    twice = [replace(commit, id="ann:0") for commit in history(*FIVE)]
    assert "record 2: the command was taken twice" in list(DAILY.problems(twice))


def test_after_the_end_its_player_may_check_everything_but_the_salt_of_the_day() -> None:
    found = DAILY.audit(history(*SOLVED))
    assert (found.secrets, found.salts) == ({"ann": "quote"}, {"ann": None})
    assert found.commitments == {"ann": begun().commitment}
    assert found.events == SOLVED


def test_an_audit_before_the_end_is_refused() -> None:
    for events in ((), FIVE):
        with pytest.raises(Refused, match="not_ended"):
            DAILY.audit(history(*events))

"""The verifier without the log: by what the service itself told of an ended game."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from services.cli.load.by_audit import contradictions, problems
from services.cli.load.ledger import Audited, Entry, Seen, Sent
from tests.services.cli.load.ledgers import DAILY, DUEL, guesses, ledger, records, without


@pytest.fixture
def told() -> list[Entry]:
    return ledger(records(DUEL))


def with_audit(told: list[Entry], **changed: Any) -> list[Entry]:
    """The same with another audit, told to everybody."""
    return [
        replace(entry, audit=Raw(msgspec.json.encode(msgspec.json.decode(entry.audit) | changed)))
        if isinstance(entry, Audited)
        else entry
        for entry in told
    ]


def events(told: list[Entry]) -> list[dict[str, Any]]:
    return next(msgspec.json.decode(entry.audit) for entry in told if isinstance(entry, Audited))["events"]


@pytest.mark.parametrize("name", [DUEL, DAILY])
def test_what_honest_players_were_told_is_right(name: str) -> None:
    assert list(problems(ledger(records(name)))) == []


def test_an_acknowledged_guess_that_is_not_among_the_events_is_named(told: list[Entry]) -> None:
    last = guesses(told)[-1]
    left = [event for event in events(told) if (event.get("word"), event["type"]) != (last.word, "guessed")]
    said = f"{last.word} {last.marks} by {last.by} was acknowledged, and is not among the events"
    assert list(problems(with_audit(told, events=left))) == [said]


def test_a_guess_that_was_taken_twice_is_named(told: list[Entry]) -> None:
    last = guesses(told)[-1]
    doubled = [event for event in events(told) for _ in range(1 + (event.get("word") == last.word))]
    said = f"{last.word} {last.marks} by {last.by} is among the events once too often: no player sent it"
    assert said in list(problems(with_audit(told, events=doubled)))


def test_a_guess_whose_answer_was_lost_may_be_among_the_events(told: list[Entry]) -> None:
    answer = guesses(told)[0]
    assert list(problems(without(told, answer))) == []
    sent = next(entry for entry in told if isinstance(entry, Sent) and entry.key == answer.key)
    said = f"{answer.word} {answer.marks} by {answer.by} is among the events once too often: no player sent it"
    assert list(problems(without(told, answer, sent))) == [said]


def test_a_secret_that_is_not_the_promised_one_is_named(told: list[Entry]) -> None:
    audit = next(msgspec.json.decode(entry.audit) for entry in told if isinstance(entry, Audited))
    ann, bob = audit["players"]
    other = audit["secrets"] | {ann: "table"}
    found = list(problems(with_audit(told, secrets=other)))
    first, *marks = found
    assert first == f"the commitment of {ann} was not made for its word and salt"
    assert marks == [f"{entry.word} by {bob}: the marks are not right" for entry in guesses(told) if entry.by == bob]


def test_a_version_that_was_shown_in_two_ways_is_named(told: list[Entry]) -> None:
    seen = next(entry for entry in told if isinstance(entry, Seen) and entry.version == 2)
    view = msgspec.json.decode(seen.view) | {"state": "finished"}
    assert list(contradictions([*told, replace(seen, view=Raw(msgspec.json.encode(view)))])) == [
        f'version 2 as {seen.by} saw it was shown in two ways: state is "finished", and must be "playing"'
    ]


def test_a_key_that_was_answered_in_two_ways_is_named(told: list[Entry]) -> None:
    first = guesses(told)[0]
    again = replace(first, marks="CCCCC")
    assert list(contradictions([*told, first, again])) == [
        f"the key {first.key} of {first.by} was answered with version {first.version} {first.word} {first.marks} "
        f"and with version {first.version} {first.word} CCCCC"
    ]

"""The verifier against the log: it finds nothing in what honest players saw, and names every lie."""

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from libs.runtime.log import Record
from services.cli.load.by_log import problems
from services.cli.load.ledger import Audited, Entry, Refused, Seen, Sent
from tests.services.cli.load.ledgers import DAILY, DUEL, guesses, ledger, records, without


@pytest.fixture
def log() -> list[Record]:
    return records(DUEL)


@pytest.fixture
def told(log: list[Record]) -> list[Entry]:
    return ledger(log)


def found(entries: list[Entry], log: list[Record]) -> list[str]:
    return list(problems(entries, log))


@pytest.mark.parametrize("name", [DUEL, DAILY, "duel-rivals-closed-at-midnight", "daily-failed-by-a-guest"])
def test_what_honest_players_saw_is_right(name: str) -> None:
    log = records(name)
    assert found(ledger(log), log) == []


def test_an_acknowledged_guess_that_is_not_in_the_log_is_named(log: list[Record], told: list[Entry]) -> None:
    last = guesses(told)[-1]
    shorter = [record for record in log if record.sequence < last.version]
    said = (
        f"{last.word} by {last.by} (key {last.key}) was acknowledged as version {last.version}, and is not in the log"
    )
    assert said in found(told, shorter)


def test_a_guess_that_is_in_the_log_twice_is_named(log: list[Record], told: list[Entry]) -> None:
    last = guesses(told)[-1]
    doubled = [*log, replace(log[last.version - 1], sequence=len(log) + 1)]
    where = f"as the records {last.version}, {len(log) + 1}"
    assert f"{last.word} by {last.by} (key {last.key}) is in the log 2 times: {where}" in found(told, doubled)


def test_other_marks_than_the_log_has_are_named(log: list[Record], told: list[Entry]) -> None:
    first = guesses(told)[0]
    wrong = replace(first, marks="CCCCC")
    assert found([*without(told, first), wrong], log) == [
        f"{first.word} by {first.by} (key {first.key}) was acknowledged with the marks CCCCC, "
        f"and the log has {first.word} {first.marks}"
    ]


def test_a_version_that_is_another_record_is_named(log: list[Record], told: list[Entry]) -> None:
    first = guesses(told)[0]
    wrong = replace(first, version=first.version + 1)
    assert found([*without(told, first), wrong], log) == [
        f"{first.word} by {first.by} (key {first.key}) was acknowledged as version {first.version + 1}, "
        f"and is record {first.version}"
    ]


def test_a_guess_that_nobody_sent_is_named(log: list[Record], told: list[Entry]) -> None:
    sent = next(entry for entry in told if isinstance(entry, Sent))
    answer = next(entry for entry in guesses(told) if entry.key == sent.key)
    assert found(without(told, sent, answer), log) == [
        f"record {answer.version}: {sent.word} by {sent.by}, a guess that no player sent"
    ]


def test_a_guess_whose_answer_was_lost_may_be_in_the_log_or_not(log: list[Record], told: list[Entry]) -> None:
    answer = guesses(told)[0]
    never = Sent(game=answer.game, by=answer.by, key="never arrived", word="table")
    assert found([*without(told, answer), never], log) == []


def test_a_refused_guess_that_was_taken_all_the_same_is_named(log: list[Record], told: list[Entry]) -> None:
    first = guesses(told)[0]
    refused = Refused(
        request="POST /games/{}/guesses",
        status=409,
        code="closed",
        game=first.game,
        by=first.by,
        key=first.key,
        final=True,
    )
    assert found([*told, refused], log) == [
        f"the key {first.key} of {first.by} was refused (closed), and is record {first.version}"
    ]
    assert found([*told, replace(refused, status=503, code="try_again", final=False)], log) == []


def test_a_view_that_shows_something_else_is_named_to_the_field(log: list[Record], told: list[Entry]) -> None:
    seen = next(entry for entry in told if isinstance(entry, Seen) and entry.version == 3)
    view = msgspec.json.decode(seen.view)
    rows = view["opponent"]["rows"]
    view["opponent"]["rows"] = [*rows, "CCCCC"]
    wrong = replace(seen, view=Raw(msgspec.json.encode(view)))
    assert found([*without(told, seen), wrong], log) == [
        f"version 3 as {seen.by} saw it on a socket: opponent.rows is "
        f"{msgspec.json.encode([*rows, 'CCCCC']).decode()}, and must be {msgspec.json.encode(rows).decode()}"
    ]


def test_names_in_a_view_are_the_edges_own(log: list[Record], told: list[Entry]) -> None:
    seen = next(entry for entry in told if isinstance(entry, Seen))
    view = msgspec.json.decode(seen.view)
    view["you"]["player"]["name"] = "Ann"
    named = replace(seen, view=Raw(msgspec.json.encode(view)))
    assert found([*without(told, seen), named], log) == []


def test_a_view_of_a_version_that_never_was_is_named(log: list[Record], told: list[Entry]) -> None:
    seen = next(entry for entry in told if isinstance(entry, Seen))
    assert found([*told, replace(seen, version=99)], log) == [
        f"version 99 as {seen.by} saw it on a socket: the log has {len(log)} records"
    ]


def test_a_view_for_somebody_without_a_seat_is_named(log: list[Record], told: list[Entry]) -> None:
    seen = next(entry for entry in told if isinstance(entry, Seen))
    assert found([*told, replace(seen, by="a stranger")], log) == [
        "version 1 as a stranger saw it on a socket: nobody there may see it (not_a_player)"
    ]


def test_an_audit_that_leaves_an_event_out_is_named(log: list[Record], told: list[Entry]) -> None:
    audited = next(entry for entry in told if isinstance(entry, Audited))
    body = msgspec.json.decode(audited.audit)
    body["events"].pop()
    [said] = found([*told, replace(audited, audit=Raw(msgspec.json.encode(body)))], log)
    assert said.startswith(f"what {audited.by} was told to check it by: events is ")


def test_a_game_that_is_not_in_the_log_is_named(told: list[Entry]) -> None:
    assert found(told, []) == ["the log has no such game"]

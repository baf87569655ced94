"""Records are read for ever, whatever became of their events."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import msgspec
import pytest

from libs.core.games.duel import DUEL
from libs.core.games.duel.events import DuelEvent, Withdrawn
from libs.core.history import Newer, UnknownKind, read, reader, reader_of
from libs.core.messages import Commit, Past
from libs.core.version import VERSION
from tests.core.games.duel.games import NOON, READY


class Cancelled(Past, frozen=True, kw_only=True, tag="cancelled"):
    """What once was stored where today a `withdrawn` is."""

    at: str

    def today(self) -> Sequence[DuelEvent]:
        return [Withdrawn(at=NOON)]


class Forgotten(Past, frozen=True, kw_only=True, tag="forgotten"):
    """What has no meaning any more."""

    def today(self) -> Sequence[DuelEvent]:
        return []


PastEvents: TypeAlias = Cancelled | Forgotten


def stored(*events: str, v: int = VERSION) -> bytes:
    head = f'"id":"1","by":"ann","digest":"","at":"2026-01-15T17:00:00Z","v":{v}'
    return f'{{{head},"events":[{",".join(events)}]}}'.encode()


def test_a_record_is_read_as_it_was_made() -> None:
    commit = Commit(id="1", by="ann", digest="", at=NOON, events=list(READY))
    assert commit == reader_of("duel")(msgspec.json.encode(commit))


def test_events_of_the_past_are_read_as_those_of_today() -> None:
    read = reader(replace(DUEL, past=PastEvents))
    withdrawn = '{"type":"withdrawn","at":"2026-01-15T17:00:00Z"}'
    assert read(stored('{"type":"cancelled","at":"noon"}', '{"type":"forgotten"}', withdrawn)).events == [
        Withdrawn(at=NOON),
        Withdrawn(at=NOON),
    ]


def test_an_event_that_nobody_knows_is_told_and_not_skipped() -> None:
    with pytest.raises(msgspec.DecodeError):
        reader_of("duel")(stored('{"type":"moved"}'))


def test_a_game_that_nobody_knows_is_told() -> None:
    with pytest.raises(UnknownKind):
        reader_of("halma")


NEXT = VERSION + 1


@pytest.mark.parametrize("kind", ["duel", "halma"])
def test_what_only_a_newer_release_can_read_is_told_from_what_nobody_can(kind: str) -> None:
    moved = '{"type":"moved","at":"2026-01-15T17:00:00Z"}'
    with pytest.raises(Newer):
        read(kind, stored(moved, v=NEXT))
    with pytest.raises((msgspec.DecodeError, UnknownKind)):
        read(kind, stored(moved))
    with pytest.raises((msgspec.DecodeError, UnknownKind)):
        read(kind, stored(moved, v=NEXT)[:-1])


def test_a_record_of_a_newer_release_is_read_where_it_says_nothing_new() -> None:
    withdrawn = '{"type":"withdrawn","at":"2026-01-15T17:00:00Z","mood":"sour"}'
    commit = read("duel", stored(withdrawn, v=NEXT).replace(b'"id"', b'"weather":"fair","id"'))
    assert commit.events == [Withdrawn(at=NOON)]

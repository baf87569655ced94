"""Records are read for ever, whatever became of their events."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import msgspec
import pytest

from libs.core.games.duel import DUEL
from libs.core.games.duel.events import DuelEvent, Withdrawn
from libs.core.history import UnknownKind, reader, reader_of
from libs.core.messages import Commit, Past
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


def stored(*events: str) -> bytes:
    return f'{{"id":"1","by":"ann","digest":"","at":"2026-01-15T17:00:00Z","events":[{",".join(events)}]}}'.encode()


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

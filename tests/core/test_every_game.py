"""What holds for every game at once, and for every record that was ever stored."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from libs.core.facts import Began, Made, Moved, Over, Seated
from libs.core.games import GAMES
from libs.core.messages import Commit

HISTORIES = sorted((Path(__file__).parent / "histories").glob("*.jsonl"))
PLAYED = [file for file in HISTORIES if not file.name.startswith(("day-", "person-"))]  # in these, nobody plays


def stored(file: Path) -> tuple[str, list[Commit[Any]]]:
    kind = file.name.split("-")[0]
    record = Commit[GAMES[kind].events]  # type: ignore[misc,name-defined]
    return kind, [msgspec.json.decode(line, type=record) for line in file.read_bytes().splitlines()]


def test_each_game_has_a_stored_history() -> None:
    assert {file.name.split("-")[0] for file in HISTORIES} == set(GAMES)


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: file.stem)
def test_what_was_ever_stored_still_folds_without_fault(file: Path) -> None:
    kind, history = stored(file)
    game = GAMES[kind]
    assert list(game.problems(history)) == []
    expected = json.loads(file.with_suffix(".views.json").read_text())
    state = game.fold(history)
    for player in game.standing(state).players:
        view = game.view(state, player, len(history))
        assert json.loads(msgspec.json.encode(view)) == expected[player]


@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_every_history_tells_the_projections_a_whole_story(file: Path) -> None:
    kind, history = stored(file)
    facts = [fact for commit in history for event in commit.events for fact in GAMES[kind].facts(event)]
    assert isinstance(facts[0], Made)
    assert {fact.player for fact in facts if isinstance(fact, Moved)} <= {
        fact.player for fact in facts if isinstance(fact, Seated)
    }
    assert [type(fact) for fact in facts if isinstance(fact, Began | Over)] == [Began, Over]


@pytest.mark.parametrize("kind", GAMES)
def test_the_names_of_events_are_written_out_and_unique(kind: str) -> None:
    union = GAMES[kind].events
    events = get_args(union) or (union,)
    tags = [event.__struct_config__.tag for event in events]
    assert len(tags) == len(set(tags))
    assert all(tag != event.__name__ for tag, event in zip(tags, events, strict=True))

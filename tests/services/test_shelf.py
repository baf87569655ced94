"""Games that are kept packed: every kind comes back as it was, at each of its versions."""

from pathlib import Path

import pytest

from services.game.shelf import Packed, Shelf
from services.game.store import unmade
from tests.core.test_every_game import HISTORIES, stored


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: file.stem)
def test_every_version_of_every_game_comes_back_as_it_was(file: Path) -> None:
    kind, history = stored(file)
    shelf, folded = Shelf(), unmade(kind, "game")
    for sequence, commit in enumerate(history, 1):
        folded = folded.then(commit, sequence)
        packed = Packed(folded.version, sequence, folded.at, folded.commands, folded.state)
        shelf.put("game", kind, packed)
        assert shelf.sequence("game") == sequence
        assert shelf.get("game") == (kind, packed)


def test_too_many_push_out_the_one_that_was_put_there_first() -> None:
    shelf = Shelf(most=2)
    for number in range(3):
        shelf.put(str(number), "duel", Packed(1, number + 1, None, {}, None))
    assert [shelf.sequence(str(number)) for number in range(3)] == [0, 2, 3]


def test_what_is_dropped_is_gone() -> None:
    shelf = Shelf()
    shelf.put("game", "duel", Packed(1, 1, None, {}, None))
    shelf.drop("game")
    shelf.drop("another")
    assert shelf.get("game") is None

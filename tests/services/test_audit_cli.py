"""`wordyard audit` and `wordyard replay`, as an operator calls them."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from libs.runtime import ids, postgres
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings, environment
from tests.services.copies import Clock, Game, copy
from tests.services.tables import folded, folding, rows


@pytest.fixture(scope="module", autouse=True)
def tables(postgres_url: str) -> None:
    postgres.migrate(postgres_url)


@pytest.fixture
async def game(settings: Settings, connection: Connection, log: Log) -> AsyncIterator[Game]:
    """A game that is over, and folded."""
    clock = Clock()
    game = Game(connection, clock)
    async with copy(settings, clock), folding(log, settings.postgres_url):
        await game.started()
        await game.guess(game.ann, "banal")
        await game.guess(game.bob, "crepe")
        await folded(log, settings.postgres_url)
        yield game


async def call(settings: Settings, *words: str) -> tuple[int, str, str]:
    """Exit code, output, and what was said beside it."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "services.cli", *words],
        env={**os.environ, **environment(settings)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


async def call_json(settings: Settings, *words: str) -> tuple[int, Any]:
    code, output, _ = await call(settings, *words, "--json")
    return code, msgspec.json.decode(output)


async def test_an_audit_shows_a_game_move_by_move(game: Game, settings: Settings) -> None:
    code, output, _ = await call(settings, "audit", game.id)
    assert code == 0
    assert "guessed     banal  CCCCC" in output
    assert output.endswith("All is right.\n")
    _, facts = await call_json(settings, "audit", f"http://wordyard.example/games/{game.id}")
    moves = [(move["who"], move["word"], move["marks"]) for move in facts["moves"] if move["what"] == "guessed"]
    assert moves == [(game.ann, "banal", "CCCCC"), (game.bob, "crepe", "CCCCC")]


async def test_an_audit_names_what_differs_and_exits_with_1(game: Game, settings: Settings) -> None:
    assert (await call(settings, "audit", "--all"))[0] == 0
    rows(settings.postgres_url, "update games.seats set guesses = 6 where game = %s and seat = 0", game.id)
    said = f"games.seats ({game.id}, 0): guesses is 6 and must be 1"
    code, facts = await call_json(settings, "audit", game.id)
    assert (code, facts["problems"]) == (1, [said])
    code, facts = await call_json(settings, "audit", "--all")
    assert (code, facts["problems"]) == (1, {game.id: [said]})
    assert facts["events"] >= 8


async def test_a_replay_mends_what_a_check_finds(game: Game, settings: Settings) -> None:
    rows(settings.postgres_url, "delete from results.results where game = %s", game.id)
    code, output, _ = await call(settings, "replay", "--check", "--projection", "results")
    assert code == 1
    assert output.count("results.results: no row must be ") == 2
    code, done = await call_json(settings, "replay")
    assert (code, [one["projection"] for one in done]) == (0, ["games", "results", "daily", "moderation"])
    code, output, _ = await call(settings, "replay", "--check")
    assert (code, output.splitlines()[-1]) == (0, "Nothing differs.")
    assert (await call(settings, "audit", "--all"))[0] == 0


async def test_an_audit_of_a_game_that_never_was_says_so(game: Game, settings: Settings) -> None:
    nobody = ids.new_id()
    code, _, said = await call(settings, "audit", nobody)
    assert (code, said) == (1, f"Error: no game {nobody} in the log\n")


async def test_without_postgres_an_audit_says_what_is_missing(game: Game, settings: Settings) -> None:
    away = msgspec.structs.replace(settings, postgres_url="postgresql://127.0.0.1:1/none")
    code, _, said = await call(away, "audit", game.id)
    assert code == 1
    assert "OperationalError" in said
    assert "Traceback" not in said

"""`wordyard backup` and `wordyard restore`: everything is there again, proven, and played on."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from libs.core import subjects
from libs.runtime import bus, ids, postgres
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.chat_store import ChatStore
from libs.runtime.connection import Connection
from libs.runtime.embedded import Postgres
from libs.runtime.settings import Settings, environment
from libs.runtime.streams import ensure_streams
from services.cli.backup import MANIFEST
from services.cli.backup_streams import put_back, save
from tests import servers
from tests.services.archives import archived, copy, move
from tests.services.copies import Clock, Game, view
from tests.services.tables import folded, folding

pytestmark = pytest.mark.timeout(240)


@contextmanager
def empty_servers(server: Postgres, settings: Settings) -> Iterator[Settings]:
    """A nats-server and a database that have nothing yet."""
    with servers.nats_server() as nats, servers.database(server) as url:
        yield replace(settings, nats_url=nats.url, postgres_url=url)


@pytest.fixture(scope="module", autouse=True)
def tables(postgres_url: str) -> None:
    postgres.migrate(postgres_url)


@pytest.fixture
async def log(connection: Connection, settings: Settings) -> AsyncIterator[ArchivedLog]:
    async with archived(connection, settings) as log:
        yield log


@pytest.fixture
async def games(settings: Settings, connection: Connection, clock: Clock, log: ArchivedLog) -> list[Game]:
    """One that has moved to the archive, one that is over, one that is played."""
    games = [Game(connection, clock) for _ in range(3)]
    async with copy(settings, clock), folding(log, settings.postgres_url):
        for game in games:
            await game.started()
        for game in games[:2]:
            await game.guess(game.ann, "banal")
            await game.guess(game.bob, "crepe")
        await games[2].guess(games[2].ann, "abbey")
        await folded(log, settings.postgres_url)
    await move(log, settings, games[0].id)
    return games


async def call(settings: Settings, *words: str) -> tuple[int, str]:
    """Exit code and all that was said."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "services.cli", *words],
        env={**os.environ, **environment(settings)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


async def told(settings: Settings, *words: str) -> Any:
    """The JSON answer of a command that succeeds."""
    code, said = await call(settings, *words, "--json")
    assert code == 0, said
    return msgspec.json.decode(next(line for line in said.splitlines() if line.startswith("{")))


async def test_what_was_backed_up_and_destroyed_is_restored_proven_and_played_on(
    games: list[Game], settings: Settings, log: ArchivedLog, clock: Clock, tmp_path: Path, postgres_server: Postgres
) -> None:
    saved = await told(settings, "backup", str(tmp_path / "saved"))
    assert saved["records"] == await log.last_sequence()
    before = [[one.data for one in await log.load(game.id)] for game in games]
    with empty_servers(postgres_server, settings) as new:
        assert (await told(new, "restore", str(tmp_path / "saved")))["records"] == saved["records"]
        report = await told(new, "audit", "--all")
        assert (report["problems"], report["rest"], report["records"]) == ({}, [], saved["records"])
        assert (await call(new, "replay", "--check"))[0] == 0
        client = await bus.connect(new, "test")
        async with archived(client, new) as restored, copy(new, clock), folding(restored, new.postgres_url):
            assert [[one.data for one in await restored.load(game.id)] for game in games] == before
            assert await restored.in_stream(games[0].id) == []
            going = Game(client, clock, games[2].id)
            assert view(await going.guess(going.bob, "crepe"))["version"] == 4
            assert (await Game(client, clock, games[0].id).guess(games[0].ann, "crepe")).refused == "finished"
            await folded(restored, new.postgres_url)
        await client.close()
        assert (await told(new, "audit", "--all"))["records"] == saved["records"] + 1


async def test_a_backup_taken_while_games_go_on_is_whole(
    games: list[Game], connection: Connection, settings: Settings, log: ArchivedLog, clock: Clock,
    tmp_path: Path, postgres_server: Postgres,
) -> None:  # fmt: skip
    async with copy(settings, clock), folding(log, settings.postgres_url):
        saving = asyncio.create_task(told(settings, "backup", str(tmp_path / "saved")))
        while not saving.done():
            await Game(connection, clock).started()
        saved = await saving
    with empty_servers(postgres_server, settings) as new:
        await told(new, "restore", str(tmp_path / "saved"))
        client = await bus.connect(new, "test")
        async with archived(client, new) as restored, folding(restored, new.postgres_url):
            await folded(restored, new.postgres_url)  # the log knows no less than the tables
        await client.close()
        report = await told(new, "audit", "--all")
        assert (report["problems"], report["rest"], report["records"]) == ({}, [], saved["records"])


async def test_a_data_folder_is_made_of_a_backup(games: list[Game], settings: Settings, tmp_path: Path) -> None:
    await told(settings, "backup", str(tmp_path / "saved"))
    with servers.folder() as place:
        data = str(place / "data")
        await told(settings, "restore", str(tmp_path / "saved"), "--data", data)
        assert (await told(settings, "audit", "--all", "--data", data))["problems"] == {}
        (place / "data" / "daily_key").write_text("k" * 32)
        again = await told(settings, "backup", str(place / "again"), "--data", data)
        assert again["keys"] == ["daily_key"]
        await told(settings, "restore", str(place / "again"), "--data", str(place / "other"))
        assert (place / "other" / "daily_key").read_text() == "k" * 32


async def test_a_backup_that_is_not_what_it_was_is_not_put_back(
    games: list[Game], settings: Settings, tmp_path: Path, postgres_server: Postgres
) -> None:
    saved = tmp_path / "saved"
    await told(settings, "backup", str(saved))
    assert await call(settings, "backup", str(saved)) == (1, f"Error: {saved} is there already.\n")
    with (saved / "GAMES.snapshot").open("r+b") as file:
        file.seek(100)
        file.write(b"?")
    with empty_servers(postgres_server, settings) as new:
        code, said = await call(new, "restore", str(saved))
        assert (code, said) == (1, f"Error: {saved / 'GAMES.snapshot'} is not what it was\n")
        (saved / MANIFEST).unlink()
        code, said = await call(new, "restore", str(saved))
        assert code == 1
        assert "is no whole backup" in said


async def test_nothing_is_put_back_over_what_is_there(games: list[Game], settings: Settings, tmp_path: Path) -> None:
    await told(settings, "backup", str(tmp_path / "saved"))
    code, said = await call(settings, "restore", str(tmp_path / "saved"))
    assert (code, "there is a stream" in said) == (1, True)
    code, said = await call(settings, "restore", str(tmp_path / "saved"), "--data", str(tmp_path))
    assert (code, "There is something in" in said) == (1, True)


async def test_tables_that_are_newer_than_the_log_are_told_and_made_anew(
    games: list[Game], settings: Settings, connection: Connection, log: ArchivedLog, clock: Clock,
    tmp_path: Path, postgres_server: Postgres,
) -> None:  # fmt: skip
    old, new_ = tmp_path / "old", tmp_path / "new"
    await told(settings, "backup", str(old))
    async with copy(settings, clock), folding(log, settings.postgres_url):
        await Game(connection, clock).started()
        await folded(log, settings.postgres_url)
    await told(settings, "backup", str(new_))
    mixed = msgspec.json.decode((new_ / MANIFEST).read_bytes())
    mixed["streams"] = msgspec.json.decode((old / MANIFEST).read_bytes())["streams"]
    for saved in mixed["streams"]:
        (new_ / saved["file"]).write_bytes((old / saved["file"]).read_bytes())
    (new_ / MANIFEST).write_bytes(msgspec.json.encode(mixed))
    with empty_servers(postgres_server, settings) as new:
        await told(new, "restore", str(new_))
        code, said = await call(new, "replay", "--check")
        assert (code, "the log ends at" in said) == (1, True)
        assert (await call(new, "audit", "--all"))[0] == 1
        assert (await call(new, "replay"))[0] == 0
        assert (await told(new, "audit", "--all"))["problems"] == {}


async def test_every_stream_is_saved_the_chat_too(
    settings: Settings, connection: Connection, tmp_path: Path, postgres_server: Postgres
) -> None:
    game = ids.new_id()
    await ChatStore(connection).add(game, "ann:1", b"hello", timedelta(hours=1))
    saved = await save(connection, subjects.CHAT, tmp_path, lambda _: None)
    assert saved is not None
    with empty_servers(postgres_server, settings) as new:
        client = await bus.connect(new, "test")
        await put_back(client, saved, tmp_path, 1, lambda _: None)
        await ensure_streams(client, 1)
        assert [message.data for message in await ChatStore(client).read(game)] == [b"hello"]
        await client.close()
    assert await save(connection, "NONE", tmp_path, lambda _: None) is None

"""The embedded servers start, stop, die and come back in the same folder, whoever left something there."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nats
import nats.errors
import psutil
import psycopg
import pytest

from libs.core import subjects
from libs.runtime import bus
from libs.runtime.embedded import NatsServer, Postgres, StartFailed
from libs.runtime.embedded.ports import HIGHEST, LOWEST, free_port
from libs.runtime.settings import Settings
from libs.runtime.streams import ensure_streams
from tests import servers

AS_A_NORMAL_USER = """
import encodings.idna, os, sys, psycopg
from pathlib import Path
from libs.runtime.embedded import NatsServer, Postgres
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for server in NatsServer(Path(sys.argv[1]) / "nats"), Postgres(Path(sys.argv[1]) / "postgres"):
    server.start()
    assert server.running
    server.stop()
    assert not server.running
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with servers.folder() as path:
        yield path


@pytest.fixture
def server(folder: Path) -> Iterator[NatsServer]:
    server = NatsServer(folder / "nats")
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with servers.folder() as path:
        server = Postgres(path / "postgres")
        server.start()
        yield server
        server.kill()


async def streams(server: NatsServer) -> int:
    connection = await bus.connect(Settings(nats_url=server.url), "test")
    count = (await connection.jetstream().account_info()).streams
    await connection.close()
    return count


async def make_streams(server: NatsServer) -> None:
    connection = await bus.connect(Settings(nats_url=server.url), "test")
    await ensure_streams(connection, 1)
    await connection.close()


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_nats_keeps_its_streams_and_its_address(server: NatsServer, end: str) -> None:
    await make_streams(server)
    url, pid = server.url, server.pid
    getattr(server, end)()
    assert not server.running
    server.start()
    assert (server.url, server.pid != pid, await streams(server)) == (url, True, 3)


async def test_a_running_nats_is_found_by_its_folder(server: NatsServer) -> None:
    found = NatsServer(server.store)
    assert (found.running, found.pid, found.url) == (True, server.pid, server.url)
    assert await streams(found) == 0


async def test_a_nats_that_a_killed_predecessor_left_is_ended_and_followed(server: NatsServer) -> None:
    await make_streams(server)
    old = server.pid
    assert old is not None
    successor = NatsServer(server.store)
    successor.start()
    assert successor.pid != old
    assert not psutil.pid_exists(old) or psutil.Process(old).status() == psutil.STATUS_ZOMBIE
    assert await streams(successor) == 3
    successor.kill()


def test_a_process_that_is_not_our_nats_is_left_alone(server: NatsServer) -> None:
    server.kill()
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        (server.store / "nats.pid").write_text(str(stranger.pid))
        assert not server.running
        server.start()
        server.stop()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_port_of_ours_that_was_taken_meanwhile_is_replaced(folder: Path, server: NatsServer) -> None:
    other = NatsServer(folder / "other")
    other.port = server.port
    other.start()
    assert other.running
    assert other.port != server.port
    other.kill()


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(folder: Path, server: NatsServer) -> None:
    with pytest.raises(StartFailed, match="address already in use"):
        NatsServer(folder / "other", server.port).start()


async def test_a_stranger_is_not_let_in(server: NatsServer) -> None:
    with pytest.raises(nats.errors.Error):
        await nats.connect(f"nats://127.0.0.1:{server.port}", allow_reconnect=False, error_cb=_ignore)
    assert stat.S_IMODE(server.config_file.stat().st_mode) == 0o600


async def _ignore(_: Exception) -> None:
    pass


async def test_three_servers_hold_a_stream_together() -> None:
    with servers.nats_cluster() as cluster:
        connection = await bus.connect(Settings(nats_url=cluster.url), "test")
        await ensure_streams(connection, 3)
        info = await connection.jetstream().stream_info(subjects.GAMES)
        assert info.cluster is not None
        assert len(info.cluster.replicas or []) == 2
        await connection.close()


def test_ports_are_never_those_of_outgoing_connections() -> None:
    ports = [free_port() for _ in range(20)]
    assert len(set(ports)) == 20
    assert all(LOWEST <= port < HIGHEST for port in ports)


def rows(server: Postgres) -> int:
    with psycopg.connect(server.url) as connection:
        connection.execute("create table if not exists kept (at timestamptz default now())")
        connection.execute("insert into kept default values")
        [(count,)] = connection.execute("select count(*) from kept").fetchall()
        return count


@pytest.mark.parametrize("end", ["stop", "kill", "restart"])
def test_postgres_keeps_its_rows(postgres: Postgres, end: str) -> None:
    before, pid = rows(postgres), postgres.pid
    getattr(postgres, end)()
    postgres.start()
    assert postgres.pid != pid
    assert rows(postgres) == before + 1


def test_postgres_comes_back_though_parts_of_the_killed_one_still_end(postgres: Postgres) -> None:
    before = rows(postgres)
    with psycopg.connect(postgres.url):
        assert postgres.pid is not None
        os.kill(postgres.pid, signal.SIGKILL)
        postgres.start()
    assert rows(postgres) == before + 1


def test_a_running_postgres_is_adopted(postgres: Postgres) -> None:
    found = Postgres(postgres.path)
    found.start()
    assert (found.pid, found.url) == (postgres.pid, postgres.url)


def test_a_note_of_another_process_does_not_keep_postgres_from_starting(postgres: Postgres) -> None:
    note = postgres.path / "postmaster.pid"
    lines = note.read_text().splitlines()
    postgres.kill()
    note.write_text("\n".join([str(os.getpid()), *lines[1:]]))
    assert not postgres.running
    postgres.start()
    assert postgres.running


def test_postgres_lets_nobody_else_in(postgres: Postgres) -> None:
    assert stat.S_IMODE(postgres.path.stat().st_mode) == 0o700
    with psycopg.connect(postgres.url) as connection:
        assert connection.execute("show listen_addresses").fetchone() == ("",)
        assert connection.execute("show fsync").fetchone() == ("on",)


def test_text_is_sorted_alike_on_every_machine(postgres: Postgres) -> None:
    with psycopg.connect(postgres.url) as connection:
        [row] = connection.execute(
            "select datlocprovider, datlocale from pg_database where datname = current_database()"
        ).fetchall()
        assert row == ("b", "C.UTF-8")


def test_a_deep_folder_with_an_odd_name_and_a_half_made_one_beside_it(folder: Path) -> None:
    path = folder / ("deep " * 10) / ("it's " * 10) / "postgres"
    unfinished = path.with_name("postgres.unfinished")
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("half")
    server = Postgres(path, durable=False)
    server.start()
    sockets = Path(server._status()[4])
    assert rows(server) == 1
    server.stop()
    assert not server.running
    assert not sockets.exists()


def test_both_run_as_a_normal_user(folder: Path) -> None:
    folder.chmod(0o777)
    path = folder / "open"
    path.mkdir()
    path.chmod(0o777)
    subprocess.run([sys.executable, "-c", AS_A_NORMAL_USER, str(path)], check=True, timeout=60)

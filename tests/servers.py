"""Real servers for tests, in folders that vanish with them."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from libs.runtime import ids
from libs.runtime.embedded import Cluster, NatsServer, Postgres, cluster


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder with a short path, removed afterwards."""
    path = Path(tempfile.mkdtemp(prefix="wy-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def nats_server() -> Iterator[NatsServer]:
    """One nats-server that syncs when it likes: fast, and safe against all that tests do to it."""
    with folder() as path:
        server = NatsServer(path / "nats", sync="lazy")
        server.start()
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def nats_cluster() -> Iterator[Cluster]:
    """Three of them that keep every stream together."""
    with folder() as path:
        servers = cluster(3, path, sync="lazy")
        servers.start()
        try:
            yield servers
        finally:
            for server in servers.servers:
                server.kill()


@contextmanager
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL that does not care about power cuts."""
    with folder() as path:
        server = Postgres(path / "postgres", durable=False)
        server.start()
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def database(server: Postgres) -> Iterator[str]:
    """The address of a new, empty database, dropped afterwards."""
    name = f"test_{ids.seed().hex()[:12]}"
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    yield server.url_of(name)
    with psycopg.connect(server.url, autocommit=True) as connection:  # another one: tests restart the server
        connection.execute(f"drop database {name} with (force)")

"""Real servers for all tests: PostgreSQL once a run, a new database and a nats-server for each module that asks."""

import logging
from collections.abc import AsyncIterator, Iterator

import hypothesis
import pytest
import structlog

from libs.runtime import bus, telemetry
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.log import Log, ensure_streams
from libs.runtime.settings import Settings
from tests import servers
from tests.given import DAILY_KEY

hypothesis.settings.register_profile("wordyard", deadline=None)  # how long an example takes is for the benchmark to say
hypothesis.settings.load_profile("wordyard")


@pytest.fixture(autouse=True)
def _own_set_up_of_log_lines() -> Iterator[None]:
    """A test that sets up log lines or spans, or runs a command that does, leaves no trace of it.

    Nor does a fixture of a module, which began before this one: every test starts from structlog's own set-up.
    """
    structlog.reset_defaults()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
    root.handlers[:], root.level = handlers, level
    telemetry.trace_as("test", Settings())


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """The run's PostgreSQL."""
    with servers.postgres() as server:
        yield server


@pytest.fixture(scope="module")
def postgres_url(postgres_server: Postgres) -> Iterator[str]:
    """A new, empty database for the module."""
    with servers.database(postgres_server) as url:
        yield url


@pytest.fixture(scope="module")
def nats_server() -> Iterator[NatsServer]:
    """The module's nats-server."""
    with servers.nats_server() as server:
        yield server


@pytest.fixture(scope="module")
def settings(nats_server: NatsServer, postgres_url: str) -> Settings:
    """Settings that lead to both servers."""
    return Settings(
        nats_url=nats_server.url,
        postgres_url=postgres_url,
        secret_key="0" * 32,
        daily_key=DAILY_KEY.decode(),
        rate_limit=False,
        embedded=True,
    )


@pytest.fixture
async def connection(nats_server: NatsServer) -> AsyncIterator[Connection]:
    """A connection to the module's nats-server, with the streams made."""
    client = await bus.connect(Settings(nats_url=nats_server.url), "test")
    await ensure_streams(client, replicas=1)
    yield client
    await client.close()


@pytest.fixture
def log(connection: Connection) -> Log:
    """The log of the module's nats-server."""
    return Log(connection)

"""One Wordyard for all tests of the api, and players who come and go."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace

from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from tests import servers
from tests.given import DAILY_KEY
from tests.services.api.operating import OLGA, OTTO
from tests.services.api.player import Player
from tests.services.api.service import Service, running
from tests.services.solver.push_endpoint import PUSH_KEY

SECRET_KEY = "tests-need-no-secrets-but-32-chars"


@pytest.fixture(scope="session")
def shared_nats() -> Iterator[NatsServer]:
    with servers.nats_server() as server:
        yield server


@pytest.fixture(scope="session")
def shared_database(postgres_server: Postgres) -> Iterator[str]:
    with servers.database(postgres_server) as url:
        migrate(url)
        yield url


@pytest.fixture(scope="session")
def api_settings(shared_nats: NatsServer, shared_database: str) -> Settings:
    return Settings(
        nats_url=shared_nats.url,
        postgres_url=shared_database,
        secret_key=SECRET_KEY,
        daily_key=DAILY_KEY.decode(),
        rate_limit=False,
        embedded=True,
        outbox=True,
        push_key=PUSH_KEY,
    )


@pytest.fixture(scope="session")
def service(api_settings: Settings) -> Iterator[Service]:
    with running(api_settings) as service:
        yield service


NewPlayer = Callable[[], Player]


@pytest.fixture
async def player(service: Service) -> AsyncIterator[NewPlayer]:
    """Makes players, nobody yet."""
    async with AsyncExitStack() as stack:
        made: list[Player] = []

        def make() -> Player:
            made.append(Player(service))
            stack.push_async_callback(made[-1].http.aclose)
            return made[-1]

        yield make


@pytest.fixture
async def ann(player: NewPlayer) -> Player:
    """A guest."""
    return await player().enter()


@pytest.fixture
async def bob(player: NewPlayer) -> Player:
    """Another guest."""
    return await player().enter()


@pytest.fixture
async def eve(player: NewPlayer) -> Player:
    """A guest who has no business here."""
    return await player().enter()


@pytest.fixture(scope="session")
def desk(api_settings: Settings, service: Service) -> Iterator[Service]:
    """A copy of the api that has a desk."""
    with running(replace(api_settings, operators=(f" {OLGA.title()}", OTTO)), game=False) as copy:
        yield copy


@pytest.fixture
async def olga(desk: Service) -> AsyncIterator[Player]:
    """An operator."""
    async with Player(desk) as olga:
        yield await olga.sign_in(OLGA)


@pytest.fixture
async def otto(desk: Service) -> AsyncIterator[Player]:
    """Another operator."""
    async with Player(desk) as otto:
        yield await otto.sign_in(OTTO)

"""A guest who signs in is told to the log, once, however long that takes."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from libs.runtime import bus, ids
from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.embedded.ports import free_port
from libs.runtime.log import Log, ensure_streams
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from tests import servers
from tests.services.api.player import Player, execute
from tests.services.api.service import Process, Service, running, wait_for
from tests.until import until


@pytest.fixture(scope="module")
def alone(nats_server: NatsServer, postgres_server: Postgres) -> Iterator[Service]:
    """An api, and nobody yet who would answer it."""
    with servers.database(postgres_server) as url:
        migrate(url)
        settings = Settings(
            nats_url=nats_server.url,
            postgres_url=url,
            secret_key="x" * 32,
            daily_key="y" * 32,
            rate_limit=False,
            embedded=True,
        )
        with running(settings, game=False) as service:
            yield service


@pytest.fixture
async def log(alone: Service) -> AsyncIterator[Log]:
    connection = await bus.connect(alone.settings, "test")
    await ensure_streams(connection, 1)
    yield Log(connection)
    await connection.close()


async def told(log: Log, account: str) -> list[tuple[str, str]]:
    """(guest, account) of what the log has been told of an account."""
    events = [event for record in await log.load(account) for event in msgspec.json.decode(record.data)["events"]]
    return [(event["guest"], event["account"]) for event in events]


async def waiting(service: Service) -> list[Any]:
    return await execute(service, "select guest, account from joins order by guest")


async def test_a_sign_in_while_the_game_service_is_away_is_told_to_the_log_afterwards(alone: Service, log: Log) -> None:
    email = f"{ids.new_id()}@example.org"
    async with Player(alone) as ann, Player(alone) as other:
        await ann.enter()
        await ann.sign_in(email)
        await other.enter()
        guest = other.id
        await other.sign_in(email)
        assert other.id == ann.id != guest
        assert await waiting(alone) == sorted([(ann.id, ann.id), (guest, ann.id)])
        with servers.folder() as folder:
            game = Process("game", replace(alone.settings, ops_port=(port := free_port())), folder / "game.log")
            try:
                wait_for(f"http://127.0.0.1:{port}/health/ready", game)
                await until(lambda: _nobody(alone), 20)
                assert sorted(await told(log, ann.id)) == sorted([(ann.id, ann.id), (guest, ann.id)])
                await execute(alone, "insert into joins values (%s, %s)", guest, ann.id)  # another copy was as fast
                await until(lambda: _nobody(alone), 20)
                assert len(await told(log, ann.id)) == 2
                await ann.send("DELETE", "/session")
                await ann.enter()
                third = ann.id
                await ann.sign_in(email)
                await until(lambda: _nobody(alone), 20)
                assert (third, other.id) in await told(log, other.id)
            finally:
                game.end()


async def _nobody(service: Service) -> bool:
    return await waiting(service) == []


async def test_who_had_an_account_already_brings_nobody(alone: Service) -> None:
    async with Player(alone) as ann, Player(alone) as nobody:
        await nobody.sign_in(f"{ids.new_id()}@example.org")  # from a browser without a guest
        assert await waiting(alone) == []
        await ann.sign_in(f"{ids.new_id()}@example.org")
        await ann.sign_in(f"{ids.new_id()}@example.org")  # an account that signs in to another one stays what it is
        assert await waiting(alone) == []

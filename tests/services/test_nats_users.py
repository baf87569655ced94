"""The users of deploy/nats-users.conf can do their work, and nothing that would harm the log."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import msgspec
import nats.errors
import pytest
from nats.aio.msg import Msg
from nats.js.api import KeyValueConfig

from libs.core import subjects
from libs.core.calls import Solve
from libs.runtime import bus, ids, postgres
from libs.runtime.archive import Archive
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.chat_store import ChatStore
from libs.runtime.connection import Connection
from libs.runtime.embedded.nats_server import BINARY
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.fleet import Fleet
from libs.runtime.log import Log, StreamsDiffer, ensure_streams
from libs.runtime.settings import Settings
from libs.runtime.timers import due_consumer, set_timer
from services.solver.desk import Desk
from services.solver.fleet import Copy
from services.solver.threads import Threads
from tests import servers
from tests.services.solver import solvers

NAMES = ("OPERATOR", "GAME", "API", "SOLVER", "WORKER", "SCHEDULER")
USERS = Path(__file__).parents[2] / "deploy" / "nats-users.conf"

As = Callable[[str], Awaitable[Connection]]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with servers.folder() as path:
        port = free_port()
        config = path / "nats.conf"
        config.write_text(f'listen: "{HOST}:{port}"\njetstream {{ store_dir: "{path}" }}\n' + USERS.read_text())
        passwords = {f"{name}_PASSWORD": name for name in NAMES}
        server = subprocess.Popen(
            [str(BINARY), "-c", str(config)], env={**os.environ, **passwords}, stderr=subprocess.DEVNULL
        )
        yield f"nats://{HOST}:{port}"
        server.kill()
        server.wait()


@pytest.fixture
async def as_user(url: str) -> AsyncIterator[As]:
    """Connects as one of the users; the streams are there."""
    connections: list[Connection] = []

    async def connect(user: str) -> Connection:
        settings = Settings(nats_url=url, nats_user=user, nats_password=user.upper())
        connections.append(await bus.connect(settings, user))
        return connections[-1]

    operator = await connect("operator")
    await ensure_streams(operator, 1)
    await due_consumer(operator)
    await operator.jetstream().create_key_value(KeyValueConfig(bucket="scheduler"))
    yield connect
    for connection in connections:
        await connection.close()


async def test_the_game_service_writes_reads_and_follows_the_log(as_user: As) -> None:
    connection = await as_user("game")
    await ensure_streams(connection, 1, create=False)
    log, game = Log(connection), ids.new_id()
    sequence = await log.append(subjects.game("duel", game), b"made", 0, "ann:1", [(subjects.claim(game), b"x")])
    assert len(await log.load(game)) == 1
    assert await log.claim(subjects.claim(game)) == b"x"
    follower = log.follow(sequence)
    assert [record.data for record in await anext(follower)] == [b"made"]
    await follower.aclose()


async def test_the_api_asks_hears_and_keeps_chats(as_user: As) -> None:
    api, game = await as_user("api"), await as_user("game")
    seen = await api.subscribe(subjects.live("g1", "ann"))

    async def answer(message: Msg) -> None:
        await message.respond(b"{}")

    await game.subscribe(subjects.ASK_ANY, "game", cb=answer)
    await api.flush()
    await game.flush()
    await game.publish(subjects.live("g1", "ann"), b"view")
    assert (await seen.next_msg(2)).data == b"view"
    assert (await api.request(subjects.ASK_ANY, b"{}", timeout=2)).data == b"{}"
    chats = ChatStore(api)
    await chats.add("g1", "ann:1", b"hello", timedelta(hours=1))
    [message] = await chats.read("g1")
    await chats.remove(message.sequence)
    assert await chats.read("g1") == []


async def test_the_scheduler_follows_sets_hears_and_clears(as_user: As) -> None:
    connection = await as_user("scheduler")
    game = ids.new_id()
    await set_timer(connection, "duel", game, datetime.now(UTC))
    consumer = await due_consumer(connection, create=False)
    [message] = await consumer.fetch(1, timeout=2)
    await message.ack_sync()
    await ChatStore(connection).purge(game)
    lease = await connection.jetstream().key_value("scheduler")
    revision = await lease.put("leader", b"me")
    assert (await lease.get("leader")).revision == revision
    log = Log(await as_user("game"))
    sequence = await log.append(subjects.game("duel", game), b"made", 0, "ann:1")
    follower = Log(connection).follow(sequence)
    assert len(await anext(follower)) == 1
    await follower.aclose()


async def test_the_solver_is_asked_and_found_and_can_do_nothing_else(as_user: As) -> None:
    solver, api, operator = await as_user("solver"), await as_user("api"), await as_user("operator")
    copy = Copy(Desk(solvers.solver("numpy"), solvers.reviewer("numpy"), Threads(1)))
    await copy.join(solver)
    question = msgspec.json.encode(Solve(rows=()))
    assert b'"tares"' in await Fleet(api).ask(subjects.SOLVER_BOARD, question)
    assert b'"solver"' in (await operator.request("$SRV.PING", timeout=2)).data
    with pytest.raises(nats.errors.TimeoutError):
        await solver.request(subjects.ASK_ANY, b"{}", timeout=0.3)
    await copy.leave()


async def test_the_worker_reads_and_follows_the_log(as_user: As) -> None:
    log, game = Log(await as_user("worker")), ids.new_id()
    sequence = await Log(await as_user("game")).append(subjects.game("duel", game), b"made", 0, "ann:1")
    assert await log.last_sequence() == sequence
    assert [record.data for record in await log.load(game)] == [b"made"]
    follower = log.follow(sequence)
    assert len(await anext(follower)) == 1
    await follower.aclose()


@pytest.mark.parametrize("user", ["api", "solver", "worker", "scheduler"])
async def test_only_the_game_service_writes_to_the_log(as_user: As, user: str) -> None:
    connection, log = await as_user(user), Log(await as_user("operator"))
    before = await log.last_sequence()
    with pytest.raises(nats.errors.TimeoutError):
        await connection.request(subjects.game("duel", ids.new_id()), b"forged", timeout=0.3)
    assert await log.last_sequence() == before


async def test_the_game_service_takes_a_game_out_of_the_log_that_is_archived(as_user: As) -> None:
    connection, one, other = await as_user("game"), ids.new_id(), ids.new_id()
    async with postgres.pool(Settings(), most=1) as pool:
        log = ArchivedLog(connection, Archive(pool))
        for game in (one, other):
            sequence = await log.append(subjects.game("duel", game), b"made", 0, "ann:1")
        assert await log.forgets()
        await log.forget(subjects.game("duel", one), sequence)
        assert await log.in_stream(one) == []
        assert len(await log.in_stream(other)) == 1


@pytest.mark.parametrize(
    ("user", "right"),
    [
        *product(["game", "api", "solver", "worker", "scheduler"], ["DELETE", "UPDATE"]),
        *product(["api", "solver", "worker", "scheduler"], ["PURGE"]),
    ],
)
async def test_no_service_can_change_the_stream(as_user: As, user: str, right: str) -> None:
    connection = await as_user(user)
    with pytest.raises(nats.errors.TimeoutError):
        await connection.request(f"$JS.API.STREAM.{right}.{subjects.GAMES}", b"{}", timeout=0.3)


async def test_a_service_without_the_right_does_not_make_streams(as_user: As) -> None:
    operator, game = await as_user("operator"), await as_user("game")
    await operator.jetstream().delete_stream(subjects.CHAT)
    with pytest.raises(StreamsDiffer, match="CHAT"):
        await ensure_streams(game, 1, create=False)


async def test_the_whole_configuration_is_one_that_the_server_understands() -> None:
    passwords = {f"{name}_PASSWORD": name for name in NAMES}
    checking = await asyncio.create_subprocess_exec(
        str(BINARY), "-t", "-c", str(USERS.with_name("nats.conf")),
        env={**os.environ, **passwords, "SERVER_NAME": "nats-1"}, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, said = await checking.communicate()
    assert checking.returncode == 0, said

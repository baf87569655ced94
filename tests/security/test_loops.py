"""Nothing that is sent to a running service ends a loop: each is answered or left out, and the next one is served."""

from collections.abc import AsyncIterator, Iterator

import msgspec
import pytest
import websockets
from msgspec.structs import replace

from libs.core import subjects
from libs.core.calls import TRY_AGAIN, Answer
from libs.runtime import bus
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from tests.security.test_decoders import ODD, WHOLE
from tests.services.api.player import BASE, Player, duel
from tests.services.api.service import Service, running
from tests.services.copies import Clock, Game, copy, view
from tests.services.solver.fleets import fleet
from tests.until import until

STRANGE = [*ODD, *(whole[: len(whole) // 2] for whole in WHOLE), *WHOLE]


async def test_the_game_service_answers_every_call_and_goes_on(settings: Settings, connection: Connection) -> None:
    async with copy(settings, clock := Clock()):
        game = await Game(connection, clock).started()
        for call in STRANGE:
            reply = await connection.request(subjects.ASK_ANY, call, timeout=5)
            assert msgspec.json.decode(reply.data, type=Answer).refused is not None
        assert view(await game.guess(game.ann, "crane"))["version"]


async def test_a_record_of_any_bytes_stops_its_own_game_alone(
    settings: Settings, connection: Connection, log: Log
) -> None:
    async with copy(settings, clock := Clock()):
        well = await Game(connection, clock).started()
        for data in ODD:
            bad = Game(connection, clock)
            await log.append(subjects.game("duel", bad.id), data, 0, "ann:1")
            assert (await bad.look(bad.ann)).refused == TRY_AGAIN
            assert (await bad.guess(bad.ann, "crane")).refused == TRY_AGAIN
            assert len(await log.load(bad.id)) == 1
        assert view(await well.guess(well.ann, "crane"))["version"]


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[Service]:
    migrate(settings.postgres_url)
    with running(replace(settings, outbox=True)) as service, fleet(service.settings):
        yield service


@pytest.fixture
async def two(service: Service) -> AsyncIterator[tuple[Player, Player]]:
    async with Player(service) as ann, Player(service) as bob:
        yield await ann.enter(), await bob.enter()


@pytest.fixture
async def broker(service: Service) -> AsyncIterator[Connection]:
    connection = await bus.connect(service.settings, "test")
    yield connection
    await connection.close()


async def test_the_api_hears_strange_messages_and_its_sockets_go_on(
    two: tuple[Player, Player], broker: Connection, service: Service
) -> None:
    ann, bob = two
    game = await duel(ann, bob)
    where = (subjects.NEWS, subjects.live(game, ann.id), subjects.notice(game, "duel"), subjects.chat(game))
    async with ann.live(game) as live:
        await live.recv()
        for data in STRANGE:
            for subject in where:
                await broker.publish(subject, data, headers={"Nats-Sequence": "x", "Nats-Expected-Last-Sequence": "y"})
        await broker.flush()
        await bob.post(f"/games/{game}/guesses", {"word": "crane"})
        versions = []

        async def heard() -> bool:
            frame = msgspec.json.decode(await live.recv())
            versions.append(frame.get("view", frame).get("version"))
            return versions[-1] == 3

        await until(heard)
    assert service.api.running
    assert (await ann.http.get("/health/ready")).status_code == 200


async def test_the_solver_refuses_what_is_no_question_and_goes_on(
    two: tuple[Player, Player], broker: Connection
) -> None:
    for subject in (subjects.SOLVER_BOARD, subjects.SOLVER_REVIEW):
        for data in ODD:
            await broker.request(subject, data, timeout=5)
    assert (await two[0].post("/solver", {"rows": []}))["count"]


async def test_what_a_socket_sends_is_left_out_or_ends_that_socket_alone(two: tuple[Player, Player]) -> None:
    ann, bob = two
    game = await duel(ann, bob)
    for frame in ("", "{}", "[" * 1024, b"\xff" * 1024, "x" * 1025, b"\0" * 70_000):
        async with ann.live(game) as live:
            await live.recv()
            await live.send(frame)
            if len(frame) > 1024:
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await live.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1009
            else:
                await live.ping()
    for after in ("x", "-1", "9" * 40, "%00", "1%2C"):
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with ann.live(game, after):
                pass
        assert refused.value.response.status_code == 400


async def test_a_body_of_any_depth_is_malformed(two: tuple[Player, Player]) -> None:
    deep = "[" * 16_000
    for path in ("/session/guest", "/invites", "/solver", "/practice/guesses", "/sign-in/email", "/daily/guesses"):
        for body in (deep, '{"rows":' + deep, '{"a":1,"b":' + deep, '{"token":' + deep):
            headers = {"Content-Type": "application/json", "X-CSRF-Token": two[0].csrf}
            answer = await two[0].http.post(BASE + path, content=body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), (path, body[:20])

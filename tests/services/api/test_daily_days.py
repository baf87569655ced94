"""The Daily from one day into the next, by a service whose clock starts shortly before midnight, and what leaks out."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from nats.aio.msg import Msg

from libs.core import daily
from libs.core.calendar import close_of
from libs.core.commitments import holds
from libs.core.daily import attempt_id
from libs.runtime import bus, postgres
from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.settings import Settings
from tests import servers
from tests.given import DAILY_KEY
from tests.services.api.player import Player
from tests.services.api.service import Process, Service, running
from tests.until import until

DAY, NEXT = date(2026, 1, 13), date(2026, 1, 14)
WORD, NEXT_WORD = "vodka", "miner"


@pytest.fixture(scope="module")
def base(nats_server: NatsServer, postgres_server: Postgres) -> Iterator[Settings]:
    with servers.database(postgres_server) as url:
        postgres.migrate(url)
        yield Settings(
            nats_url=nats_server.url,
            postgres_url=url,
            secret_key="x" * 32,
            daily_key=DAILY_KEY.decode(),
            rate_limit=False,
            embedded=True,
        )


@contextmanager
def starting(base: Settings, moment: datetime, folder: Path) -> Iterator[tuple[Service, Process]]:
    """A whole service, scheduler and all, whose clock starts at this instant."""
    shifted = replace(base, clock_offset=(moment - datetime.now(UTC)).total_seconds(), trace_share=1.0)
    scheduler = Process("scheduler", shifted, folder / "scheduler.log")
    try:
        with running(shifted) as service:
            yield service, scheduler
    finally:
        scheduler.end()


@pytest.fixture
async def heard(base: Settings) -> AsyncIterator[list[str]]:
    """All that goes over NATS beside the log itself and answers to those who may read it."""
    connection, found = await bus.connect(base, "test"), list[str]()

    async def hear(message: Msg) -> None:
        found.append(f"{message.subject} {message.headers} {message.data.decode(errors='replace')}")

    for subject in ("live.>", "log.>", "ask.>", "api.>", "copies.>", "timer.>", "due.>", "chat.>"):
        await connection.subscribe(subject, cb=hear)
    yield found
    await connection.close()


async def proof(player: Player, day: date) -> Any:
    return await player.get(f"/daily/{day}/verify")


async def test_over_midnight_and_nothing_is_told_too_early(base: Settings, heard: list[str], tmp_path: Path) -> None:
    secrets = [daily.secret_of(DAILY_KEY, day) for day in (DAY, NEXT)]
    assert [secret.word for secret in secrets] == [WORD, NEXT_WORD]
    with starting(base, close_of(DAY) - timedelta(seconds=14), tmp_path) as (service, scheduler):
        async with Player(service) as ann, Player(service) as bob:
            for player in (ann, bob):
                await player.enter()

            async def announced() -> bool:
                return (await ann.send("GET", f"/daily/{NEXT}/verify")).status_code == 200

            await until(announced)
            promised = await proof(ann, DAY)
            assert (promised["commitment"], promised["word"]) == (secrets[0].commitment, None)
            assert (await proof(ann, NEXT))["commitment"] == secrets[1].commitment

            mine = {"word": "slate", "day": str(DAY)}
            view = await ann.post("/daily/guesses", mine, key="first")
            assert (view["day"], view["state"]) == (str(DAY), "open")
            assert datetime.fromisoformat(view["closes_at"]) == close_of(DAY)
            async with ann.live(view["id"], after=0) as socket:
                await _look_around(ann, bob, view["id"], socket)
                _assert_silent(secrets[0], ann, bob, heard, service, scheduler)

                closed = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 25))["view"]
                assert (closed["state"], closed["word"], len(closed["guesses"])) == ("closed", WORD, 2)

            # a device that slept over midnight is told that its day is over, and nothing is taken for the next one
            await ann.refused("closed", 409, "POST", "/daily/guesses", {"word": WORD, "day": str(DAY)})
            await bob.refused("closed", 409, "POST", "/daily/guesses", {"word": WORD, "day": str(DAY)})
            assert (
                await ann.post("/daily/guesses", mine, key="first") == view
            )  # what was taken then is answered as then
            fresh = await ann.get("/daily")
            assert (fresh["day"], fresh["version"], fresh["id"]) == (str(NEXT), 0, attempt_id(ann.id, NEXT))
            assert fresh["commitment"] == secrets[1].commitment
            assert await ann.get(f"/daily/{DAY}") == closed

            async def opened() -> bool:
                return (await proof(bob, DAY))["word"] is not None

            await until(opened)
            found = await proof(bob, DAY)
            assert found["announced_at"] == promised["announced_at"]
            assert holds(promised["commitment"], found["word"], found["salt"])
            missed = await bob.get(f"/daily/{DAY}")
            assert (missed["state"], missed["word"], missed["guesses"]) == ("closed", WORD, [])
            _assert_silent(secrets[1], ann, bob, heard, service, scheduler)

            assert (await bob.post("/daily/guesses", {"word": NEXT_WORD}))["state"] == "solved"


async def test_without_a_scheduler_a_day_is_over_all_the_same(base: Settings) -> None:
    moment = close_of(NEXT) - timedelta(seconds=8)
    shifted = replace(base, clock_offset=(moment - datetime.now(UTC)).total_seconds())
    with running(shifted) as service:
        async with Player(service) as ann:
            await ann.enter()
            view = await ann.post("/daily/guesses", {"word": "slate", "day": str(NEXT)})

            async def over() -> bool:
                return bool((await ann.get("/daily"))["day"] != str(NEXT))

            await until(over, 20)
            assert await ann.get(f"/daily/{NEXT}") == {**view, "state": "closed"}
            await ann.refused("closed", 409, "POST", f"/games/{view['id']}/guesses", {"word": NEXT_WORD})


async def _look_around(ann: Player, bob: Player, game: str, socket: Any) -> None:
    """Everything that anybody may ask for before the end."""
    await ann.post("/daily/guesses", {"word": "crane"})
    for _ in range(2):
        ann.heard.append(str(await socket.recv()))
    for path in (
        "/daily",
        f"/daily/{DAY}",
        f"/daily/{DAY}/verify",
        f"/daily/{NEXT}/verify",
        f"/games/{game}",
        "/games",
    ):
        for player in (ann, bob):
            await player.send("GET", path)
    await ann.refused("not_ended", 409, "GET", f"/games/{game}/audit")
    await bob.refused("not_a_player", 403, "GET", f"/games/{game}/audit")
    await ann.refused("key_reused", 409, "POST", "/daily/guesses", {"word": "eerie", "day": str(DAY)}, key="first")
    ann.heard.append((await ann.http.get("/metrics")).text)


def _assert_silent(
    secret: daily.Secret, ann: Player, bob: Player, heard: list[str], service: Service, scheduler: Process
) -> None:
    """Nobody has been told this word, or what its commitment was made with; nor is the key anywhere."""
    assert service.game is not None
    lines = [service.api.lines(), service.game.lines(), scheduler.lines()]
    told = "\n".join([*ann.heard, *bob.heard, *heard, *lines])
    assert "crane" in told
    assert secret.commitment in told
    assert any(one.startswith("log.daily.") for one in heard)
    assert any(one.startswith("live.") for one in heard)
    for hidden in (secret.word, secret.salt, DAILY_KEY.decode()):
        assert hidden not in told.lower(), hidden

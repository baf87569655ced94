"""Servers that are away, limits that are reached, settings that are wrong, and an orderly end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import websockets
from msgspec.structs import replace

from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings, environment
from tests import servers
from tests.services.api.player import Player, duel, good, problem
from tests.services.api.service import Service, running
from tests.until import until


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL that may be stopped."""
    with servers.postgres() as server:
        migrate(server.url)
        yield server


@pytest.fixture(scope="module")
def own_settings(nats_server: NatsServer, own_postgres: Postgres) -> Settings:
    return Settings(
        nats_url=nats_server.url,
        postgres_url=own_postgres.url,
        secret_key="x" * 32,
        daily_key="y" * 32,
        rate_limit=False,
        embedded=True,
    )


@pytest.fixture(scope="module")
def own_service(own_settings: Settings) -> Iterator[Service]:
    with running(own_settings) as service:
        yield service


@asynccontextmanager
async def players(service: Service, count: int = 2) -> AsyncIterator[list[Player]]:
    made = [await Player(service).enter() for _ in range(count)]
    yield made
    for one in made:
        await one.http.aclose()


async def parts(service: Service) -> Any:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{service.url}/health/ready")
        assert answer.status_code == (200 if answer.json()["status"] == "ok" else 503)
        return answer.json()["parts"]


async def test_while_postgres_is_away_guesses_go_on_and_lists_say_so(
    own_service: Service, own_postgres: Postgres
) -> None:
    async with players(own_service) as (ann, bob):
        game = await duel(ann, bob)
        own_postgres.stop()
        try:
            await until(lambda: is_down(own_service, "postgres"))
            for word in ("allot", "canal"):
                view = await ann.post(f"/games/{game}/guesses", {"word": word})
                assert view["opponent"]["player"]["name"] == bob.name
            assert (await ann.post("/daily/guesses", {"word": "crane"}))["version"] == 1
            async with bob.live(game) as socket:
                assert len(json.loads(await socket.recv())["view"]["opponent"]["rows"]) == 2
            assert (await ann.get(f"/games/{game}"))["version"] == 4
            assert (await ann.post(f"/games/{game}/chat", {"text": "hi"}))["text"] == "hi"
            me = await ann.get("/me")
            assert (me["player"]["id"], me["csrf"]) == (ann.id, ann.csrf)
            for path in ("/games", "/rivals"):
                began = time.monotonic()
                answer = await ann.send("GET", path)
                problem(answer, "reads_down", 503)
                assert "retry-after" in answer.headers
                assert time.monotonic() - began < 4
            assert (await ann.refused("reads_down", 503, "POST", "/sign-in/email", {"email": "a@b.example"}))["key"]
            async with httpx.AsyncClient(base_url=own_service.url, trust_env=False) as client:
                assert (await client.get("/health/live")).status_code == 200
        finally:
            own_postgres.start()
        await until(lambda: is_up(own_service), 20)
        [entry] = await until(lambda: finished_list(ann), 20)
        assert entry["id"] == game


async def finished_list(player: Player) -> Any:
    answer = await player.send("GET", "/games")
    return answer.status_code == 200 and answer.json()["games"]


async def is_down(service: Service, part: str) -> bool:
    return (await parts(service))[part] == "down"


async def is_up(service: Service) -> bool:
    return set((await parts(service)).values()) == {"ok"}


async def test_while_nats_is_away_the_answer_is_the_key_and_the_retry_is_right(
    own_service: Service, nats_server: NatsServer
) -> None:
    async with players(own_service) as (ann, bob):
        game = await duel(ann, bob)
        path = f"/games/{game}/guesses"

        async def listed() -> Any:
            return (await ann.get("/games"))["games"]

        await until(listed)  # from here on the tables know it
        async with bob.live(game) as socket:
            await socket.recv()
            nats_server.stop()
            try:
                began = time.monotonic()
                answer = await ann.send("POST", path, {"word": "allot"}, key="lost")
                assert time.monotonic() - began < 2.3
                assert problem(answer, "try_again", 503)["key"] == "lost"
                assert answer.headers["retry-after"] == "1"
                await until(lambda: is_down(own_service, "nats"))
                await ann.refused("try_again", 503, "GET", f"/games/{game}")
                assert await listed()
            finally:
                nats_server.start()
            await until(lambda: is_up(own_service), 20)

            async def again() -> Any:
                answer = await ann.send("POST", path, {"word": "allot"}, key="lost")
                return answer.status_code == 200 and answer.json()

            view = await until(again, 20)
            assert [guess["word"] for guess in view["you"]["guesses"]] == ["allot"]
            frame = json.loads(await asyncio.wait_for(socket.recv(), 10))
            assert (frame["version"], len(frame["view"]["opponent"]["rows"])) == (3, 1)


async def test_what_was_published_while_the_api_hung_still_arrives(own_service: Service) -> None:
    async with players(own_service) as (ann, bob):
        game = await duel(ann, bob)
        async with bob.live(game) as socket:
            await socket.recv()
            own_service.api.send(signal.SIGSTOP)
            guess = asyncio.create_task(ann.post(f"/games/{game}/guesses", {"word": "allot"}))
            own_service.api.send(signal.SIGCONT)
            assert json.loads(await asyncio.wait_for(socket.recv(), 10))["version"] == 3
            await guess


async def test_an_orderly_end_sends_sockets_elsewhere(own_settings: Settings) -> None:
    with running(own_settings) as service:
        async with players(service) as (ann, bob):
            game = await duel(ann, bob)
            async with ann.live(game) as socket:
                await socket.recv()
                ended = asyncio.create_task(asyncio.to_thread(service.api.end))
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await asyncio.wait_for(socket.recv(), 5)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1012
                assert await ended == 0


async def test_the_api_starts_without_its_servers(own_settings: Settings) -> None:
    nowhere = replace(own_settings, nats_url="nats://127.0.0.1:9", postgres_url="postgresql://127.0.0.1:9/x")
    with running(nowhere, game=False, ready=False) as service:
        assert await parts(service) == {"nats": "down", "postgres": "down", "tables": "ok", "serving": "ok"}
        async with httpx.AsyncClient(base_url=service.url, trust_env=False) as client:
            assert (await client.get("/")).status_code == 200
            assert (await client.get("/api/v1/me")).json()["player"] is None
            problem(await client.post("/api/v1/session/guest", json={}), "reads_down", 503)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"), ("SECRET_KEY", ""), ("PLAYER_RATE", "many"), ("TRUSTED_PROXIES", "somewhere"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_told_at_the_start(name: str, value: str) -> None:
    variables = {"WORDYARD_SECRET_KEY": "x" * 32, f"WORDYARD_{name}": value}
    done = subprocess.run(
        [sys.executable, "-m", "services.api"], env=variables, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 78
    assert f"WORDYARD_{name}" in done.stderr


def test_a_taken_port_is_told(own_service: Service) -> None:
    taken = {**os.environ, **environment(own_service.settings)}
    done = subprocess.run(
        [sys.executable, "-m", "services.api"], env=taken, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, "Address already in use" in done.stdout) == (1, True)


@pytest.fixture(scope="module")
def limited(own_settings: Settings) -> Iterator[Service]:
    settings = replace(
        own_settings,
        rate_limit=True,
        player_rate="5/3second",
        address_rate="200/second",
        trusted_proxies=("127.0.0.1",),
    )
    with running(settings) as service:
        yield service


async def test_too_many_requests_of_a_player_are_refused_for_a_while(limited: Service) -> None:
    async with players(limited) as (ann, bob):
        answers = await asyncio.gather(*(ann.send("GET", "/me") for _ in range(12)))
        refused = [answer for answer in answers if answer.status_code != 200]
        assert refused
        problem(refused[0], "rate_limited", 429)
        wait = int(refused[0].headers["retry-after"])
        assert 1 <= wait <= 3
        await bob.get("/me")
        assert (await ann.http.get("/")).status_code == 200
        await until(lambda: succeeded(ann), 5)


async def succeeded(player: Player) -> bool:
    return (await player.send("GET", "/me")).status_code == 200


async def test_guests_and_mails_have_limits_of_their_own(limited: Service) -> None:
    one = Player(limited)
    answers = [
        await one.http.post("/api/v1/session/guest", json={"token": True}, headers={"x-forwarded-for": "203.0.113.7"})
        for _ in range(41)
    ]
    assert [answer.status_code for answer in answers].count(201) == 40
    problem(answers[-1], "rate_limited", 429)
    other = await one.http.post(
        "/api/v1/session/guest", json={"token": True}, headers={"x-forwarded-for": "10.0.0.1, 203.0.113.8, 127.0.0.1"}
    )
    good(other)
    for number in range(6):
        answer = await one.http.post(
            "/api/v1/sign-in/email",
            json={"email": "often@example.org"},
            headers={"x-forwarded-for": f"203.0.113.{number}"},
        )
        assert answer.status_code == (202 if number < 5 else 429)
    await one.http.aclose()


async def test_sockets_of_a_player_are_limited(own_settings: Settings) -> None:
    settings = replace(own_settings, rate_limit=True, player_rate="1000/second", address_rate="1000/second")
    with running(settings) as service:
        async with players(service) as (ann, bob):
            game = await duel(ann, bob)
            opened = [await ann.live(game) for _ in range(30)]
            with pytest.raises(websockets.InvalidStatus) as caught:
                await ann.live(game)
            assert caught.value.response.status_code == 429
            assert json.loads(caught.value.response.body)["code"] == "too_many_sockets"
            await opened.pop().close()
            opened.append(await until(lambda: opens(ann, game)))
            for socket in opened:
                await socket.close()


async def opens(player: Player, game: str) -> Any:
    try:
        return await player.live(game)
    except websockets.InvalidStatus:
        return None

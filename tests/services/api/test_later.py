"""What time does: the same games, seen by a service whose clock is days ahead."""

import asyncio
import json
from datetime import timedelta

from msgspec.structs import replace

from libs.core.calendar import close_of, eastern_day
from libs.runtime.clock import clock
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from tests.services.api.player import Player, duel, rivals
from tests.services.api.service import running
from tests.until import until

DAY = 86_400.0  # seconds


async def test_days_later(settings: Settings) -> None:
    """An invite, a game and its chat are closed; cookies are renewed or too old; an ended token stays so."""
    migrate(settings.postgres_url)
    with running(settings) as service:
        ann, bob, cat = [await Player(service).enter() for _ in range(3)]
        token = (await ann.post("/invites", {"kind": "duel", "secret": "crepe"}))["token"]
        dan = await Player(service).enter(token=True)
        assert (await dan.get("/me"))["player"]["id"] == dan.id
        await dan.send("DELETE", "/session")
        await dan.refused("unauthorized", 401, "GET", "/me")
        game = await duel(ann, bob)
        await ann.post(f"/games/{game}/chat", {"text": "hello"})
    with running(replace(settings, clock_offset=8 * DAY)) as service:
        for player in (ann, bob):
            player.move_to(service)
        answer = await ann.send("GET", f"/invites/{token}")
        assert answer.json()["state"] == "expired"
        assert "Max-Age=15552000" in answer.headers["set-cookie"]
        await bob.refused("invite_expired", 410, "POST", f"/invites/{token}/accept", {"secret": "sight"})
        await ann.refused("invite_expired", 410, "DELETE", f"/invites/{token}")
        await ann.refused("closed", 409, "POST", f"/games/{game}/guesses", {"word": "allot"})
        await ann.refused("chat_closed", 409, "POST", f"/games/{game}/chat", {"text": "still there?"})
        assert await ann.get(f"/games/{game}/chat") == {"open_until": None, "messages": [], "muted": False}
        answer = await ann.send("GET", "/me")
        assert (answer.json()["player"]["id"], "set-cookie" in answer.headers) == (ann.id, False)
    with running(replace(settings, clock_offset=185 * DAY)) as service:
        for player in (ann, cat, dan):
            player.move_to(service)
        assert (await ann.get("/me"))["player"]["id"] == ann.id
        assert (await cat.get("/me"))["player"] is None
        await cat.refused("unauthorized", 401, "GET", "/games")
        await dan.refused("unauthorized", 401, "GET", "/me")

        async def listed() -> object:
            return (await ann.get("/games"))["games"]

        await until(listed)
    await ann.http.aclose()
    await bob.http.aclose()
    await cat.http.aclose()
    await dan.http.aclose()


async def test_a_duel_asked_for_again_after_midnight_is_the_one_of_the_day_before(settings: Settings) -> None:
    migrate(settings.postgres_url)
    with running(settings) as service:
        ann, bob = [await (await Player(service).enter()).sign_in(f"{name}@example.org") for name in ("ann", "bob")]
        await rivals(ann, bob)
        asked = [(ann, {"rival_id": bob.id, "secret": "crepe"}), (bob, {"rival_id": ann.id, "secret": "sight"})]
        first = [await player.post("/duels", body, key="k") for player, body in asked]
    with running(replace(settings, clock_offset=DAY)) as service:
        for player in (ann, bob):
            player.move_to(service)
        assert [await player.post("/duels", body, key="k") for player, body in asked] == first
        assert (await bob.post("/duels", asked[1][1]))["id"] != first[1]["id"]
    await ann.http.aclose()
    await bob.http.aclose()


async def test_at_midnight_the_chat_is_cleared_and_guesses_are_late(settings: Settings) -> None:
    migrate(settings.postgres_url)
    now = clock()()
    offset = close_of(eastern_day(now)) - timedelta(seconds=20) - now
    with running(replace(settings, clock_offset=offset / timedelta(seconds=1))) as service:
        ann, bob = await Player(service).enter(), await Player(service).enter()
        game = await duel(ann, bob)
        async with bob.live(game) as socket:
            await socket.recv()
            await ann.post(f"/games/{game}/chat", {"text": "five more seconds"})
            assert json.loads(await socket.recv())["type"] == "chat"
            assert json.loads(await asyncio.wait_for(socket.recv(), 30)) == {"type": "chat_cleared"}
        await ann.refused("closed", 409, "POST", f"/games/{game}/guesses", {"word": "allot"})
        await bob.refused("chat_closed", 409, "POST", f"/games/{game}/chat", {"text": "good night"})
        assert (await bob.get(f"/games/{game}/chat"))["messages"] == []
        assert await duel(ann, bob) != game
    await ann.http.aclose()
    await bob.http.aclose()

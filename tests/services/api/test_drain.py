"""A copy of the api that is told to end lets the proxy notice, then closes its sockets so that they come back."""

import asyncio
import signal

import pytest
from msgspec.structs import replace

from libs.runtime.settings import BadSetting, Settings
from tests.services.api.player import Player, duel
from tests.services.api.service import running
from tests.until import until

DRAIN = 4.0  # seconds, of which in the second half sockets are closed


async def test_a_copy_that_ends_drains_first(api_settings: Settings) -> None:
    with running(replace(api_settings, drain_seconds=DRAIN)) as service:
        async with Player(service) as ann, Player(service) as bob:
            await ann.enter()
            await bob.enter()
            game = await duel(ann, bob)
            socket = await ann.live(game)
            await socket.recv()

            async def serving() -> bool:
                return (await ann.http.get("/health/serving")).is_success

            async def draining() -> bool:
                return not await serving()

            assert await serving()
            service.api.send(signal.SIGTERM)
            await until(draining)
            ready = await ann.http.get("/health/ready")
            assert (ready.status_code, ready.json()["parts"]["serving"]) == (503, "down")
            assert (await ann.http.get("/health/live")).status_code == 200
            assert (await ann.post(f"/games/{game}/guesses", {"word": "slate"}))["version"]
            await asyncio.wait_for(socket.wait_closed(), DRAIN + 2)
            assert socket.close_code == 1012
            assert service.api.wait() == 0


@pytest.mark.parametrize("seconds", [-1, 301])
def test_the_time_to_drain_has_bounds(seconds: float) -> None:
    with pytest.raises(BadSetting, match="WORDYARD_DRAIN_SECONDS"):
        Settings(drain_seconds=seconds)

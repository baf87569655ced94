"""Carries out the acts of one player on asyncio."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Self, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from libs.core.messages import GameId
from libs.runtime.ids import between
from libs.runtime.web import authorities
from services.cli.load.acts import Act, Ask, Await, Drop, Follow, Leave, Reply, Rest, Script, Think
from services.cli.load.player import Following, Player

T = TypeVar("T")

SILENCE = 6.0  # seconds without an answer
AGAIN = 0.1  # seconds before a socket is opened anew
NO_COOKIES = DefaultCookiePolicy(allowed_domains=())


class Pace:
    """How fast the players of a load are, and whether they go on."""

    def __init__(self, think: float) -> None:
        self.think = think
        self.on = True
        self.busy = 0  # players who have asked something that is not settled
        self.go = asyncio.Event()
        self.go.set()


class Driver:
    """One player's connections."""

    def __init__(self, player: Player, addresses: Sequence[str], pace: Pace) -> None:
        self.player = player
        self.pace = pace
        self._addresses = list(addresses)
        self._client = httpx.AsyncClient(
            trust_env=False, verify=authorities(), timeout=SILENCE, cookies=CookieJar(NO_COOKIES)
        )
        self._followed: dict[GameId, asyncio.Task[None]] = {}
        self._sockets: dict[GameId, ClientConnection] = {}
        self._noticed = asyncio.Event()
        player.noticed = self._noticed.set

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for game in list(self._followed):
            await self._leave(game)
        await self._client.aclose()

    async def run(self, script: Script[T]) -> T:
        """Carry a script out; answers with its result. Meanwhile the player counts as busy, but while thinking."""
        came: Any = None
        self.pace.busy += 1
        try:
            while True:
                came = await self._do(script.send(came))
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            self.pace.busy -= 1

    async def breathe(self) -> None:
        """Give others a chance, as long as one has to be quiet."""
        await self.pace.go.wait()
        await asyncio.sleep(0)

    async def _do(self, act: Act) -> Any:
        match act:
            case Ask():
                return await self._ask(act)
            case Think():
                return await self._idle(self._think(act.times))
            case Rest():
                await asyncio.sleep(act.seconds)
                return self.pace.on
            case Follow():
                self._followed[act.game] = asyncio.create_task(self._follow(Following(self.player, act.game)))
            case Drop():
                if (socket := self._sockets.get(act.game)) is not None:
                    socket.transport.abort()
            case Leave():
                await self._leave(act.game)
            case Await():
                return await self._idle(self._await(act))
        return None

    async def _idle(self, waiting: Any) -> bool:
        """Wait without being busy."""
        self.pace.busy -= 1
        try:
            came = await waiting
            await self.pace.go.wait()
            return bool(came)
        finally:
            self.pace.busy += 1

    async def _ask(self, ask: Ask) -> Reply:
        headers = {**self.player.headers, **ask.headers}
        if ask.key:
            headers["Idempotency-Key"] = ask.key
        try:
            answer = await self._client.request(
                ask.method, self._addresses[0] + ask.path, json=ask.body, headers=headers
            )
        except httpx.HTTPError as error:
            self._addresses.append(self._addresses.pop(0))
            return Reply(error=type(error).__name__)
        return Reply(status=answer.status_code, body=answer.content, headers=answer.headers)

    async def _think(self, times: float) -> bool:
        await asyncio.sleep(times * between(0, 2 * self.pace.think))
        return self.pace.on

    async def _await(self, act: Await) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(act.seconds):
                while self.pace.on:
                    self._noticed.clear()
                    view = self.player.views.get(act.game)
                    if view is not None and act.so(view):
                        return True
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._noticed.wait(), 0.5)
        return False

    async def _follow(self, following: Following) -> None:
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                address = self._addresses[0].replace("http", "ws", 1) + following.path
                headers = self.player.headers
                async with connect(address, additional_headers=headers, compression=None, proxy=None) as socket:
                    self._sockets[following.game] = socket
                    async for frame in socket:
                        following.take(frame)
            await asyncio.sleep(AGAIN)

    async def _leave(self, game: GameId) -> None:
        self._sockets.pop(game, None)
        if (task := self._followed.pop(game, None)) is not None:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():  # it ends by itself only where a frame was none of ours
                task.result()

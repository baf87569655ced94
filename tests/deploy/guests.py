"""People who play through the proxy of a cluster, over TLS, and count how often they are told to ask again."""

import asyncio
import ssl
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import msgspec
import websockets
from websockets.exceptions import ConnectionClosed

from libs.runtime import ids
from services.cli.cluster import Cluster
from tests.services.api.player import BASE, Player, duel
from tests.services.api.service import Service

WORDS = ("slate", "about", "house", "money", "light", "brown")
RESTARTS = 1012
ASK_AGAIN = ("try_again", "solver_busy")
"""What a service says that did not get to it within its two seconds, on a busy machine for instance."""

PATIENCE = 20  # times that one guest asks again


class Guest(Player):
    """A player who believes the authority of the cluster's proxy."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cast(Service, SimpleNamespace(url=cluster.address, settings=cluster.settings())))
        self.trust = ssl.create_default_context(cafile=cluster.certificate)
        self.asked = self.told_to_ask_again = 0
        self.http = httpx.AsyncClient(base_url=cluster.address, trust_env=False, timeout=30, verify=self.trust)

    async def send(self, method: str, path: str, body: Any = None, *, key: str = "", **headers: str) -> httpx.Response:
        """A request as our own page sends it: a POST with a key, and once more with the same where it is told to."""
        key = key or (ids.new_id() if method == "POST" else "")
        while True:
            self.asked += 1
            answer = await super().send(method, path, body, key=key, **headers)
            if answer.status_code != 503 or answer.json()["code"] not in ASK_AGAIN or self.told_to_ask_again > PATIENCE:
                return answer
            self.told_to_ask_again += 1

    def live(self, game: str, after: int | str | None = None, **headers: str) -> websockets.connect:
        """A socket on a game."""
        query = "" if after is None else f"?after={after}"
        own = {"Origin": self.service.url, "Authorization": f"Bearer {self.token}", **headers}
        address = f"wss://{urlsplit(self.service.url).netloc}{BASE}/games/{game}/live{query}"
        return websockets.connect(address, additional_headers=own, proxy=None, origin=None, ssl=self.trust)


async def guests(cluster: Cluster, count: int = 2) -> list[Guest]:
    """So many guests with tokens."""
    return [cast(Guest, await Guest(cluster).enter(token=True)) for _ in range(count)]


class Follower:
    """Somebody's socket on a game, opened again from the last version whenever it closes, until the game is over."""

    def __init__(self, guest: Guest, game: str) -> None:
        self.versions: list[int] = []
        self.codes: list[int | None] = []  # by which the sockets were closed
        self.task = asyncio.create_task(self._follow(guest, game))

    async def _follow(self, guest: Guest, game: str) -> None:
        while True:
            async with guest.live(game, self.versions[-1] if self.versions else None) as socket:
                try:
                    async for text in socket:
                        message: Any = msgspec.json.decode(text)
                        if message["type"] == "view":
                            self.versions.append(message["version"])
                            if message["view"]["state"] != "playing":
                                return
                except ConnectionClosed as closed:
                    self.codes.append(closed.rcvd.code if closed.rcvd else None)
                else:
                    self.codes.append(socket.close_code)


async def play_on(pair: Sequence[Guest], stop: asyncio.Event) -> int:
    """Play duels until told to stop; answers how many. Fails at the first request that is refused."""
    played = 0
    while not stop.is_set():
        game = await duel(*pair)
        followers = [Follower(guest, game) for guest in pair]
        version = 0
        board = await pair[0].post("/solver", {"rows": [{"guess": WORDS[played % len(WORDS)], "marks": "IIIII"}]})
        assert board["status"] == "ok"
        for word in WORDS:
            for guest in pair:
                version = (await guest.post(f"/games/{game}/guesses", {"word": word}, f"{game} {word}"))["version"]
                await asyncio.sleep(0.1)  # a pace, not a wait: the machine is shared with the cluster
        await asyncio.wait_for(asyncio.gather(*(follower.task for follower in followers)), 60)
        for follower in followers:
            assert follower.versions == list(range(follower.versions[0], version + 1))
        played += 1
    return played

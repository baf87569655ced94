"""The provider as a process, and how somebody signs in there."""

import subprocess
import sys
from typing import Any

import httpx

from libs.runtime.embedded.ports import free_port
from tests.services.api.player import Player, execute
from tests.until import until

CALLBACK = "/api/v1/sign-in/oidc/callback"


class Provider:
    """The provider, and how a browser signs in there."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes]
        self.begin()

    def begin(self) -> None:
        command = [sys.executable, "-m", "tests.services.api.oidc.provider", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()

    async def ready(self) -> None:
        async def answers() -> bool:
            try:
                await self.told()
            except httpx.HTTPError:
                return False
            return True

        await until(answers, 20)

    async def told(self, **what: Any) -> Any:
        """Tell it how to lie from now on; with nothing it is honest again. Answers with what it was asked so far."""
        async with httpx.AsyncClient(trust_env=False) as client:
            return (await client.post(f"{self.url}/told", json=what)).json()

    async def sign_in(self, url: str, sub: str, **user: str) -> str:
        """Sign in as this subject; answers with the address that the browser is sent back to."""
        query = "".join(f"&{name}={value}" for name, value in {"sub": sub, **user}.items())
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(url + query)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


async def begin(player: Player, return_to: str = "/") -> str:
    """Where the page sends the browser."""
    return str((await player.post("/sign-in/oidc", {"return_to": return_to}))["url"])


async def come_back(player: Player, back: str) -> str:
    """Where the browser goes on."""
    answer = await player.http.get(back)
    assert answer.status_code == 303
    assert answer.headers["cache-control"] == "no-store"
    return str(answer.headers["location"])


async def sign_in(player: Player, provider: Provider, sub: str, **user: str) -> Player:
    assert await come_back(player, await provider.sign_in(await begin(player, "/rivals"), sub, **user)) == "/rivals"
    me = await player.get("/me")
    player.id, player.name, player.csrf = me["player"]["id"], me["player"]["name"], me["csrf"]
    assert me["player"]["guest"] is False
    return player


async def refused(player: Player, provider: Provider, sub: str, code: str = "sign_in_failed") -> None:
    back = await provider.sign_in(await begin(player), sub, email=f"{sub}@example.org", verified="1")
    assert await come_back(player, back) == f"/sign-in?problem={code}"
    assert (await player.get("/me"))["player"] is None
    assert await execute(player.service, "select 1 from identities where subject = %s", sub) == []

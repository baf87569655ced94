"""Somebody who plays: by cookie like a browser, or by token like a program."""

from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import psycopg
import websockets

from libs.runtime import ids
from tests.services.api.service import Service
from tests.until import until

BASE = "/api/v1"


class Player:
    """One HTTP client with its own cookies; every answer it ever got is kept, to look for leaks."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.http = httpx.AsyncClient(base_url=service.url, trust_env=False, timeout=10)
        self.csrf = ""
        self.token = ""
        self.id = ""
        self.name = ""
        self.heard: list[str] = []

    def move_to(self, service: Service) -> None:
        """Go on at another address, cookies and all."""
        self.service = service
        self.http.base_url = httpx.URL(service.url)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def send(self, method: str, path: str, body: Any = None, *, key: str = "", **headers: str) -> httpx.Response:
        """A request as our own page sends it."""
        own = {name.replace("_", "-"): value for name, value in headers.items()}
        if key:
            own["Idempotency-Key"] = key
        if self.token:
            own.setdefault("Authorization", f"Bearer {self.token}")
        elif self.csrf and method not in ("GET", "HEAD"):
            own.setdefault("X-CSRF-Token", self.csrf)
        content: dict[str, Any] = {} if body is None else {"json": body}
        answer = await self.http.request(method, BASE + path, headers=own, **content)
        self.heard.append(answer.text)
        return answer

    async def get(self, path: str, **headers: str) -> Any:
        """The good answer of a GET."""
        return good(await self.send("GET", path, **headers))

    async def post(self, path: str, body: Any = None, key: str = "") -> Any:
        """The good answer of a POST."""
        return good(await self.send("POST", path, {} if body is None else body, key=key))

    async def refused(self, code: str, status: int, method: str, path: str, body: Any = None, **more: str) -> Any:
        """The problem that this request must meet."""
        return problem(await self.send(method, path, body, **more), code, status)

    async def enter(self, *, token: bool = False) -> Self:
        """Become a guest."""
        session = await self.post("/session/guest", {"token": True} if token else None)
        self._is(session)
        self.token = session.get("token", "")
        return self

    async def sign_in(self, email: str) -> Self:
        """Become an account, or sign in to it."""
        await self.post("/sign-in/email", {"email": email})
        self._is(await self.post("/sign-in/confirm", {"token": await link_token(self.service, email)}))
        return self

    def _is(self, session: Any) -> None:
        self.id, self.name, self.csrf = session["player"]["id"], session["player"]["name"], session["csrf"]

    def live(self, game: str, after: int | str | None = None, **headers: str) -> websockets.connect:
        """A socket on a game."""
        query = "" if after is None else f"?after={after}"
        own = {"Origin": self.service.url, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.token:
            own["Authorization"] = f"Bearer {self.token}"
        else:
            own["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = urlsplit(self.service.url).netloc
        return websockets.connect(
            f"ws://{address}{BASE}/games/{game}/live{query}", additional_headers=own, proxy=None, origin=None
        )


def good(answer: httpx.Response) -> Any:
    assert answer.status_code < 300, (answer.status_code, answer.text)
    return answer.json() if answer.content else None


def problem(answer: httpx.Response, code: str, status: int) -> Any:
    """The problem details of an answer, which must be this refusal."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), answer.text
    body = answer.json()
    assert (body["code"], body["status"]) == (code, status), body
    assert {"type", "title", "detail"} <= body.keys()
    return body


async def duel(maker: Player, taker: Player, secrets: tuple[str, str] = ("crepe", "sight")) -> str:
    """A game by invite that has begun; answers with its id."""
    invite = await maker.post("/invites", {"kind": "duel", "secret": secrets[0]})
    view = await taker.post(f"/invites/{invite['token']}/accept", {"secret": secrets[1]})
    assert view["state"] == "playing"
    return str(view["id"])


async def rivals(one: Player, other: Player) -> None:
    """Two accounts become rivals by a game of an earlier day, which is put straight into the tables."""
    for first, second in ((one, other), (other, one)):
        await execute(
            one.service,
            "insert into results.rivals values (%s, %s, 'duel', 1, 0, 0, 1, %s, '2026-01-01')",
            first.id,
            second.id,
            ids.new_id(),
        )


async def execute(service: Service, query: str, *values: Any) -> list[Any]:
    """Rows of the service's database."""
    async with await psycopg.AsyncConnection.connect(service.settings.postgres_url, autocommit=True) as connection:
        found = await connection.execute(query.encode(), values)
        return await found.fetchall() if found.description else []


async def mails_to(service: Service, email: str) -> list[Any]:
    """(subject, body) of the mails to an address, the newest first."""
    query = "select subject, body from mails where recipient = %s order by made_at desc, id desc"
    return await execute(service, query, email)


async def link_token(service: Service, email: str) -> str:
    """The token of the newest sign-in link."""
    [(_, body), *_] = await until(lambda: mails_to(service, email))
    return str(body.split("/sign-in#")[1].split()[0])

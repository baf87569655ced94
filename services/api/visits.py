"""One request as the edge knows it: who asks, when it came, under which key."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast

from litestar import Request as LitestarRequest
from litestar import WebSocket as LitestarWebSocket
from litestar.datastructures import State

from libs.core.calls import Person
from libs.core.decoding import reader
from services.api.accounts.scopes import Scope
from services.api.accounts.sessions import Session
from services.api.bodies import require_plain
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Receive

LARGEST_BODY = 16 * 1024  # bytes

_decoders: dict[Any, Callable[[bytes], Any]] = {}


class Visit:
    """Filled in by the gate, before anything else sees the request."""

    __slots__ = ("address", "by_cookie", "cookie", "headers", "id", "key", "received", "session")

    def __init__(self, request_id: str, received: datetime, headers: dict[bytes, bytes]) -> None:
        self.id = request_id
        self.received = received  # UTC
        self.headers = headers
        self.address = ""  # the client's network address
        self.session: Session | None = None
        self.by_cookie = False
        self.key = ""  # the request key, given or made
        self.cookie: str | None = None  # to be set with the answer

    @property
    def who(self) -> Session:
        """The session. Raises `Problem` (unauthorized) if there is none."""
        if self.session is None:
            raise Problem("unauthorized")
        return self.session

    @property
    def person(self) -> Person:
        """Who asks, for the game service. Raises `Problem` (unauthorized)."""
        return self.who.person

    def require(self, scope: Scope | None) -> None:
        """Go on if this session may be used for that. Raises `Problem` (scope)."""
        if scope is not None and scope not in self.who.scopes:
            raise Problem("scope", needs=scope)

    @property
    def account(self) -> Session:
        """The session of an account. Raises `Problem` (unauthorized) for a guest too."""
        if self.who.guest:
            raise Problem("unauthorized")
        return self.who


def visit_of(scope: Any) -> Visit:
    """The visit of an ASGI scope that has passed the gate."""
    visit: Visit = scope["state"]["visit"]
    return visit


async def read_body(receive: Receive, headers: Mapping[bytes, bytes]) -> bytes:
    """A body of 16 KiB at most. Raises `Problem` (too_large), or (malformed) if the sender hangs up."""
    announced = headers.get(b"content-length", b"")
    if announced.isdigit() and int(announced) > LARGEST_BODY:
        raise Problem("too_large")
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body", False) and len(body) <= LARGEST_BODY:
        message = await receive()
        body += message.get("body", b"")
    if len(body) > LARGEST_BODY:
        raise Problem("too_large")
    if message["type"] == "http.disconnect":
        raise Problem("malformed", detail="The body ended too early.", where="$")
    return body


def decode(body: bytes, headers: Mapping[bytes, bytes], kind: Any) -> Any:
    """A JSON body as a value of this type, by the letter.

    Raises `msgspec.DecodeError`, or `Problem` (unsupported_media_type, malformed).
    """
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
        raise Problem("unsupported_media_type")
    if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
        raise Problem("unsupported_media_type", detail="A body is sent as it is, without a Content-Encoding.")
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = reader(kind)
    value = decoder(body)
    require_plain(body)
    return value


class _Admitted:
    """What a request and a socket that have passed the gate both know."""

    scope: Any

    @property
    def visit(self) -> Visit:
        """Who asks, when it came, under which key."""
        return visit_of(self.scope)

    @property
    def parts(self) -> Parts:
        """What the service is made of."""
        parts: Parts = self.scope["litestar_app"].state["parts"]
        return parts


class Request(_Admitted, LitestarRequest[None, None, State]):
    """A request that knows its visit, and reads its body as strictly as its handler's type says."""

    _whole: bytes | None = None

    async def body(self) -> bytes:
        """The whole body. Raises `Problem` (too_large, malformed)."""
        if self._whole is None:
            self._whole = await read_body(cast(Receive, self.receive), self.visit.headers)
        return self._whole

    async def json(self) -> Any:
        """The body, decoded into the type of the handler's `data`.

        Raises `msgspec.DecodeError`, or `Problem` (unsupported_media_type, malformed).
        """
        field = self.route_handler.parsed_data_field
        assert field is not None  # noqa: S101 - Litestar asks for the body only where `data` is declared
        return decode(await self.body(), self.visit.headers, field.annotation)


class WebSocket(_Admitted, LitestarWebSocket[None, None, State]):
    """A socket that knows its visit."""

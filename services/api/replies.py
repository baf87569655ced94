"""Answers, as lean as they can be: bytes, a status and a few headers, sent without further ado."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Self, TypeAlias
from zlib import crc32

import msgspec
from litestar import Response
from litestar.response.base import ASGIResponse

JSON = "application/json"

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]
"""ASGI, as loosely as one can type it: the servers and Litestar disagree about the rest."""

_encoder = msgspec.json.Encoder()


class Reply(ASGIResponse):
    """A whole answer. It is what handlers give; headers that all answers share are added on its way out."""

    def __init__(self, body: bytes = b"", status: int = 200, media_type: str = JSON) -> None:
        self.body = body
        self.status_code = status
        self._headers = [(b"content-length", str(len(body)).encode())] if status != 204 and status != 304 else []
        if body:
            self._headers.append((b"content-type", media_type.encode()))

    def add(self, name: str, value: str) -> Self:
        """Add a header; the name in lower case."""
        self._headers.append((name.encode(), value.encode()))
        return self

    def to_asgi_response(self, *_: Any, **__: Any) -> Self:
        """Itself: this is what Litestar asks an exception handler's answer for."""
        return self

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self._headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})

    async def deny(self, send: Send) -> None:
        """Send it in place of a handshake."""
        await send({"type": "websocket.http.response.start", "status": self.status_code, "headers": self._headers})
        await send({"type": "websocket.http.response.body", "body": self.body})


def reply(value: Any, status: int = 200) -> Reply:
    """A value as a JSON answer."""
    return Reply(_encoder.encode(value), status)


def versioned(headers: Mapping[bytes, bytes], version: int, body: bytes) -> Reply:
    """A view (JSON), unless the asker has it already; its ETag changes with the version and with the names in it."""
    etag = f'"v{version}-{crc32(body):08x}"'
    found = Reply(status=304) if matches(headers, etag) else Reply(body)
    return found.add("etag", etag).add("cache-control", "private, no-cache")


def empty() -> Response[None]:
    """An answer without a body: it is done (204)."""
    return Response(None, status_code=204)


def matches(headers: Mapping[bytes, bytes], etag: str) -> bool:
    """Has the asker this very version already (If-None-Match)?"""
    known = headers.get(b"if-none-match")
    if known is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in known.decode("latin-1").split(",")]
    return etag in tags or "*" in tags

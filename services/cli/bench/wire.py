"""A load generator's HTTP client: one keep-alive connection, raw bytes, as little work as possible.

It is not for general use: it trusts that answers carry a Content-Length, which Granian's do. It exists since the
well-known clients cost more per request than the service that they would measure.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec


class BadAnswer(Exception):
    """The service refused, or the connection broke, where the benchmark needs a success."""


class Wire:
    """One connection to one address; requests follow one another."""

    def __init__(self, address: str, token: str = "") -> None:
        parts = urlsplit(address)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self.token = token

    async def __aenter__(self) -> Self:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    def request(self, method: str, path: str, body: Any = None, key: str = "") -> bytes:
        """The bytes of a request with a JSON body and a request key."""
        content = b"" if body is None else msgspec.json.encode(body)
        headers: Mapping[str, str] = {
            "Host": f"{self.host}:{self.port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
            **({"Idempotency-Key": key} if key else {}),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + content

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """The status and the body of the answer."""
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        at = head.lower().find(b"content-length:")
        length = int(head[at + 15 : head.index(b"\r", at)]) if at >= 0 else 0
        return status, await self.reader.readexactly(length) if length else b""

    async def call(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """The decoded answer of a request that must succeed. Raises `BadAnswer`."""
        status, content = await self.send(self.request(method, path, body, key))
        if status >= 300:
            raise BadAnswer(f"{method} {path}: {status} {content[:200].decode(errors='replace')}")
        return msgspec.json.decode(content) if content else None

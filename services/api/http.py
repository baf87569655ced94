"""The server's HTTP: bounded in what a request may hold beside its body, and clear where it cannot be read at all."""

import asyncio
from http import HTTPStatus
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.api.edge import PROBLEM_JSON, told
from services.api.problems import Problem

LARGEST_HEAD = 64 * 1024  # bytes: request line, headers, the frames of a chunked body and what follows it


class Gathering:
    """A transport whose writes of one turn of the event loop leave in one piece: the head and the body of an answer."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self._loop = asyncio.get_running_loop()
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send this, together with what else is written in this turn."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(data)

    def close(self) -> None:
        """Hang up, once what was written is sent."""
        self._flush()
        self.transport.close()

    def _flush(self) -> None:
        if self._held:
            self.transport.write(b"".join(self._held))
            self._held.clear()

    def __getattr__(self, name: str) -> Any:
        """Everything else the transport does itself."""
        return getattr(self.transport, name)


class BoundedHttp(HttpToolsProtocol):
    """One connection. uvicorn itself reads headers without end, and sends each answer in two pieces."""

    _spent = 0  # bytes of the present request that are not its body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection begins."""
        super().connection_made(cast(asyncio.Transport, Gathering(transport)))

    def handle_websocket_upgrade(self) -> None:
        """It becomes a WebSocket, which writes whole frames."""
        self.transport = cast(Gathering, self.transport).transport
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Read on, unless too much has come that is no body."""
        self._spent += len(data)
        super().data_received(data)
        if self._spent > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(Problem("headers_too_large"))

    def on_body(self, body: bytes) -> None:
        """A part of the body, which has a bound of its own."""
        self._spent -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The next request begins to count anew."""
        self._spent = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What came is no HTTP."""
        self._refuse(Problem("malformed", detail=msg))

    def _refuse(self, problem: Problem) -> None:
        """Say so, unless an answer is already on its way, and hang up."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            reply = told(problem)
            head = (
                f"HTTP/1.1 {reply.status_code} {HTTPStatus(reply.status_code).phrase}\r\n"
                f"content-type: {PROBLEM_JSON}\r\ncontent-length: {len(reply.body)}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + reply.body)
        self.transport.close()

"""python -m services.api: HTTP, sockets and the pages."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Iterator

import structlog
import uvicorn

from libs.runtime import run, tls
from libs.runtime.settings import Settings
from services.api.app import build
from services.api.gate import Gate
from services.api.http import BoundedHttp

log = structlog.get_logger()

LAST_WORDS = 5  # seconds for requests that are being answered
LARGEST_FRAME = 1024  # bytes that a client may send over a socket, though nobody asks for any
PING = 25.0  # seconds; proxies hang up on silent sockets after a minute
BACKLOG = 2048


class Server(uvicorn.Server):
    """Ended by us; signals are handled where the service is run."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


def server(gate: Gate, encryption: ssl.SSLContext | None = None) -> Server:
    """The web server for this application, not yet started."""
    config = uvicorn.Config(
        gate,
        http=BoundedHttp,
        ws="websockets-sansio",
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        log_level="critical",  # the gate tells what is worth knowing
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=LAST_WORDS,
        ssl_context_factory=None if encryption is None else lambda *_: encryption,
    )
    return Server(config)


def listen(settings: Settings) -> socket.socket:
    """A socket on the host and port of the settings. Raises `OSError` if they cannot be had."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Answer until told to stop; then close sockets so that they come back elsewhere, and finish what was begun.

    Raises `BadSetting`.
    """
    gate = build(settings)
    web = server(gate, tls.to_players(settings))
    with listen(settings) as opened:
        serving = asyncio.create_task(web.serve([opened]))
        told = asyncio.create_task(stop.wait())
        log.info("serving", host=settings.host, port=opened.getsockname()[1])
        await asyncio.wait([serving, told], return_when=asyncio.FIRST_COMPLETED)
        if not stop.is_set():
            told.cancel()
            serving.result()
            raise RuntimeError("the web server has stopped by itself")
        await gate.drain()
        web.should_exit = True
        await serving


def main() -> None:
    """Run the api until it is told to end."""
    run.serve("api", serve)


if __name__ == "__main__":
    main()

"""Health and metrics of a service that has no HTTP of its own: a small server in a thread.

/health/live answers while the process runs, /health/ready 200 or 503 with the reasons, /metrics for Prometheus.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

Check: TypeAlias = Callable[[], bool]
"""Is this part in order? Called in a thread of the server; one that raises is not."""


def on_loop(check: Callable[[], Awaitable[bool]], patience: float = 2) -> Check:
    """A check that runs on the loop of the caller; it fails when it takes longer than `patience` seconds."""
    loop = asyncio.get_running_loop()

    async def checked() -> bool:
        return await check()

    return lambda: asyncio.run_coroutine_threadsafe(checked(), loop).result(patience)


@contextmanager
def served(host: str, port: int, checks: Mapping[str, Check]) -> Iterator[int]:
    """Serve while the block runs; gives the port (the free one that was found, if 0 was asked for)."""
    server = make_server(host, port, _application(checks), _Server, _Silent)
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="ops", daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    timeout = 10  # a caller that says nothing does not hold a thread for ever

    def log_message(self, *_: Any) -> None:
        """A line for each scrape would say nothing."""


def ready(checks: Mapping[str, Check]) -> dict[str, str]:
    """Each part by name: "ok" or "down"."""
    return {name: "ok" if _passes(check) else "down" for name, check in checks.items()}


def _passes(check: Check) -> bool:
    try:
        return check()
    except Exception:  # whatever it is, this part is not in order
        return False


def _application(checks: Mapping[str, Check]) -> WSGIApplication:
    def answer(environment: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        kind, status, body = "application/json", "200 OK", b'{"status":"ok"}'
        match environment["PATH_INFO"]:
            case "/health/live":
                pass
            case "/health/ready":
                parts = ready(checks)
                if "down" in parts.values():
                    status = "503 Service Unavailable"
                body = msgspec.json.encode(
                    {"status": "ok" if status.startswith("200") else "not_ready", "parts": parts}
                )
            case "/metrics":
                kind, body = CONTENT_TYPE_LATEST, generate_latest()
            case _:
                status, body = "404 Not Found", b'{"status":"unknown"}'
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    return answer

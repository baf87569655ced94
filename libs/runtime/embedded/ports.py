"""Free ports on the loopback address."""

import os
import socket
from collections.abc import Iterator

HOST = "127.0.0.1"

LOWEST, HIGHEST = 20_000, 32_000
"""Below the range that systems give to outgoing connections.

A client that keeps calling a stopped server on a port of that range will sooner or later be given that very port as its
own and talk to itself, and then the server cannot come back.
"""


def _ports() -> Iterator[int]:
    start = os.getpid() * 4637 % (HIGHEST - LOWEST)  # processes that look at the same time look in different places
    yield from (LOWEST + (start + step) % (HIGHEST - LOWEST) for step in range(HIGHEST - LOWEST))


_candidates = _ports()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """A port that nobody listens on now; never the same twice in one process. Raises `OSError` if all are taken."""
    for port in _candidates:
        if _is_free(port):
            return port
    raise OSError("no free port between 20000 and 32000")

"""One running Wordyard for tests: game and api as processes of their own, with settings of the test's choice."""

import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from msgspec.structs import replace

from libs.runtime.embedded.ports import free_port
from libs.runtime.settings import Settings, environment
from tests import servers

START_WITHIN = 30.0  # seconds


class Process:
    """A service; its output goes to a file."""

    def __init__(self, name: str, settings: Settings, log: Path) -> None:
        self.log = log
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"services.{name}"],
            env={**os.environ, **environment(settings)},
            stdout=log.open("ab"),
            stderr=subprocess.STDOUT,
        )

    def send(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> int:
        """End it in order; answers with its exit code."""
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise

    def wait(self) -> int:
        """Wait until it has ended; answers with its exit code."""
        return self._process.wait(15)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def lines(self) -> str:
        return self.log.read_text()


def wait_for(url: str, process: Process, status: int = 200, trust: ssl.SSLContext | bool = True) -> None:
    """Until this address answers so; `trust`: whose certificates are believed."""
    deadline = time.monotonic() + START_WITHIN
    while True:
        try:
            if httpx.get(url, timeout=2, trust_env=False, verify=trust).status_code == status:
                return
        except httpx.HTTPError:
            pass
        assert process.running, process.lines()
        assert time.monotonic() < deadline, process.lines()
        time.sleep(0.05)


class Service:
    """Where a running Wordyard is."""

    def __init__(self, settings: Settings, api: Process, game: Process | None) -> None:
        self.settings = settings
        self.url = settings.address
        self.api = api
        self.game = game


@contextmanager
def running(
    settings: Settings, *, game: bool = True, ready: bool = True, trust: ssl.SSLContext | bool = True
) -> Iterator[Service]:
    """Run game and api on these servers, on free ports."""
    with servers.folder() as folder:
        games = (
            Process("game", replace(settings, ops_port=(port := free_port())), folder / "game.log") if game else None
        )
        own = replace(settings, port=free_port())
        api = Process("api", own, folder / "api.log")
        try:
            if games and ready:
                wait_for(f"http://127.0.0.1:{port}/health/ready", games)
            wait_for(f"{own.address}/health/{'ready' if ready else 'live'}", api, trust=trust)
            yield Service(own, api, games)
        finally:
            for process in filter(None, (api, games)):
                if process.running:
                    process.end()

"""The parts of a cluster: each is a process that can be started, asked to end, killed, and made to stand still."""

import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import psutil

from libs.runtime.embedded import Postgres, StartFailed

READY_WITHIN = 90.0  # seconds: on a busy machine all of them start at once
LAST_WORDS = 30.0  # seconds for a process to end; then it is ended by force


class Part(ABC):
    """One process, or one server with all its processes."""

    def __init__(self, name: str, log_file: Path) -> None:
        self.name = name
        self.log_file = log_file

    @property
    @abstractmethod
    def pid(self) -> int | None:
        """The process id while it runs."""

    @property
    def running(self) -> bool:
        """Does it run? One that stands still does."""
        return self.pid is not None

    def start(self) -> None:
        """Start it, unless it runs, and wait until it is ready. Raises `StartFailed`."""
        self.launch()
        self.wait()

    @abstractmethod
    def launch(self) -> None:
        """Start it without waiting, unless it runs."""

    @abstractmethod
    def wait(self) -> None:
        """Wait until it is ready. Raises `StartFailed`."""

    @abstractmethod
    def stop(self) -> None:
        """Ask it to end and wait for it; after 30 seconds end it by force."""

    @abstractmethod
    def kill(self) -> None:
        """End it as a power cut would: without any warning."""

    def pause(self) -> None:
        """Make it stand still, its connections open."""
        for process in self._everyone():
            process.suspend()

    def resume(self) -> None:
        """Let it go on."""
        for process in self._everyone():
            with suppress(psutil.NoSuchProcess):  # one that was asked to end has ended meanwhile
                process.resume()

    def _everyone(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            if (pid := self.pid) is not None:
                process = psutil.Process(pid)
                return [process, *process.children(recursive=True)]
        return []


class Process(Part):
    """One that we start ourselves. `environment` may be changed until the next start."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        log_file: Path,
        url: str,
        ready: str,
        starter: ThreadPoolExecutor,
    ) -> None:
        super().__init__(name, log_file)
        self.environment = environment
        self.url = url
        self._command = command
        self._ready = ready
        self._starter = starter
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def launch(self) -> None:
        """Start it without waiting, unless it runs."""
        if not self.running:
            # the system ends a child together with the thread that started it, so there is one that stays
            self._process = self._starter.submit(self._start).result()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log_file.open("ab") as log:
            return subprocess.Popen(
                self._command,
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the cluster, which ends its parts in order
            )

    def wait(self) -> None:
        """Wait until it says that it is ready. Raises `StartFailed`."""
        deadline = time.monotonic() + READY_WITHIN
        while not self.is_ready():
            if not self.running or time.monotonic() > deadline:
                raise StartFailed(self.name, self.log_file)
            time.sleep(0.05)

    def is_ready(self) -> bool:
        """Does it say now that it is ready?"""
        with suppress(httpx.HTTPError):
            return httpx.get(self.url + self._ready, timeout=2, trust_env=False, verify=False).is_success  # noqa: S501
        return False

    def stop(self) -> None:
        """Ask it to end and wait for it; after 30 seconds end it by force."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self.resume()
            try:
                self._process.wait(LAST_WORDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End it as a power cut would: without any warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Database(Part):
    """PostgreSQL, whose processes belong to one server."""

    def __init__(self, server: Postgres) -> None:
        super().__init__("postgres", server.log_file)
        self._server = server

    @property
    def pid(self) -> int | None:
        """The process id of the server while it runs."""
        return self._server.pid

    @property
    def dsn(self) -> str:
        """Where clients connect, while the server runs."""
        return self._server.url

    def launch(self) -> None:
        """Start it and wait, unless it runs. Raises `StartFailed`."""
        self._server.start()

    def wait(self) -> None:
        """It is ready as soon as it is started."""

    def stop(self) -> None:
        """Ask it to end, its clients with it, and wait for it."""
        self._server.stop()

    def kill(self) -> None:
        """End all its processes as a power cut would."""
        self._server.kill()


def all_of(acts: Sequence[Callable[[], None]]) -> None:
    """Do all of this at the same time. Raises what the first of them raises."""
    with ThreadPoolExecutor(max(len(acts), 1)) as pool:
        for outcome in [pool.submit(act) for act in acts]:
            outcome.result()

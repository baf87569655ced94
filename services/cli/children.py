"""The services as child processes of `wordyard up`: started, watched, started again when they die."""

import asyncio
import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import IO

import httpx

from libs.runtime.parent import PARENT
from libs.runtime.run import BAD_SETTING
from libs.runtime.settings import PREFIX

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds before a dead child is started again
PROVEN = 30.0  # seconds after which a child counts as well, and its next death as its first
LARGEST_LOG = 20_000_000  # bytes; what is older is kept once more beside it
TRIES = 3  # deaths before it was ever ready, after which the start has failed


class Failed(RuntimeError):
    """A service cannot be started; says which, where its log is, and the log's last lines."""


class Child:
    """One service in a process of its own. `environment` may be changed until the next start.

    `nice` is by how much it gives way to other processes.
    """

    def __init__(self, name: str, module: str, ready_url: str, log_file: Path, nice: int = 0) -> None:
        self.name = name
        self.environment: Mapping[str, str] = {}
        self._module = module
        self._ready_url = ready_url
        self._log_file = log_file
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None
        self._proven = False
        self._deaths = 0
        self._code = 0

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def keep(self) -> None:
        """Run it, and again when it dies, until cancelled."""
        pause = FIRST_PAUSE
        while True:
            self.rotate_log()
            began = time.monotonic()
            with self._log_file.open("ab") as log:
                self._process = await self._start(log)
            self._code = await self._process.wait()
            self._deaths += 1
            pause = FIRST_PAUSE if time.monotonic() - began > PROVEN else min(pause * 2, LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _start(self, log: IO[bytes]) -> asyncio.subprocess.Process:
        own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self._module,
            env={**own, **self.environment, PARENT: str(os.getpid())},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=partial(os.nice, self._nice) if self._nice else None,
            start_new_session=True,  # Ctrl-C is for the supervisor, which ends its children in order
        )

    async def ready(self, client: httpx.AsyncClient) -> None:
        """Wait until it says that it is ready. Raises `Failed` if it cannot be started."""
        while True:
            if not self._proven and (self._deaths >= TRIES or self._code == BAD_SETTING):
                raise Failed(self.last_words())
            try:
                answer = await client.get(self._ready_url, timeout=2)
                if answer.status_code == httpx.codes.OK:
                    self._proven = True
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.05)

    def last_words(self) -> str:
        """Which service it is, and the end of its log."""
        lines = self._log_file.read_text(errors="replace").splitlines()[-8:] if self._log_file.exists() else []
        return "\n".join([f"The {self.name} service does not start. Its log is {self._log_file}", *lines])

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.pid is not None and self._process is not None:
            self._process.send_signal(number)

    async def ended(self) -> None:
        """Wait until the present process is gone."""
        if self._process is not None:
            await self._process.wait()

    def rotate_log(self) -> None:
        """Move a log that has grown too long aside; the service writes on at the beginning of the emptied file."""
        if self._log_file.exists() and self._log_file.stat().st_size > LARGEST_LOG:
            shutil.copyfile(self._log_file, self._log_file.with_suffix(".log.1"))
            os.truncate(self._log_file, 0)

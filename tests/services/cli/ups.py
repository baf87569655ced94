"""`wordyard up` as a process, for tests."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from libs.runtime.parent import PARENT

COMMAND = (sys.executable, "-m", "services.cli")


@dataclass
class Up:
    """One that runs, or has run."""

    process: subprocess.Popen[str]
    address: str
    folder: Path

    @property
    def url(self) -> str:
        """The address, as players of the api's tests call it."""
        return self.address

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send it a signal and wait; answers with its exit code."""
        self.process.send_signal(number)
        return self.process.wait(30)

    def services(self) -> list[psutil.Process]:
        """The services that it has started and that live."""
        return [process for process in psutil.process_iter() if _parent(process) == str(self.process.pid)]

    def everything(self) -> list[psutil.Process]:
        """The services, and all else that has to do with its folder."""
        return [
            process
            for process in psutil.process_iter()
            if _parent(process) == str(self.process.pid) or str(self.folder) in _words(process)
        ]


def _parent(process: psutil.Process) -> str | None:
    try:
        return None if process.status() == psutil.STATUS_ZOMBIE else process.environ().get(PARENT)
    except psutil.Error:
        return None


def _words(process: psutil.Process) -> str:
    try:
        return "" if process.status() == psutil.STATUS_ZOMBIE else " ".join(process.cmdline())
    except psutil.Error:
        return ""


@contextmanager
def up(*options: str, **variables: str) -> Iterator[Up]:
    """Start it with these options and variables on a free port; it is ended afterwards, if it still runs."""
    process = subprocess.Popen(
        [*COMMAND, "up", "--port", "0", "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.communicate(timeout=30)[1])
        ready = msgspec.json.decode(line)
        yield Up(process, ready["address"], Path(ready["data"]))
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)

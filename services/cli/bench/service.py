"""A whole service of our own to measure, in a folder that goes with it."""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import psutil
import psycopg

from libs.runtime.settings import Settings
from services.cli.bench import figures
from services.cli.bench.figures import Figure
from services.cli.embedded import MODULES

WORDYARD = (sys.executable, "-m", "services.cli")


@dataclass(frozen=True)
class Service:
    """A running `wordyard up`."""

    address: str
    folder: Path
    pid: int
    ready_after: float  # seconds from the start of the command to its line

    def processes(self) -> list[psutil.Process]:
        """Everything that belongs to it, the servers of the log and of the tables included."""
        of_us = str(self.folder)
        family = {process.pid for process in psutil.Process(self.pid).children(recursive=True)} | {self.pid}
        return [
            process
            for process in psutil.process_iter(["pid", "cmdline", "ppid"])
            if process.pid in family
            or of_us in " ".join(process.info["cmdline"] or [])
            or _has_parent_with(process, of_us)
        ]

    def megabytes(self) -> float:
        """Memory of all processes, shared pages counted once (proportional set size)."""
        return float(sum(process.memory_full_info().pss for process in self.processes())) / 1e6

    def cpu(self) -> dict[str, float]:
        """Seconds of CPU that each of its parts has used so far, by the part's name."""
        used: dict[str, float] = {}
        for process in self.processes():
            with suppress(psutil.Error):
                name, times = _part(process), process.cpu_times()
                used[name] = used.get(name, 0.0) + times.user + times.system
        return used

    def of(self, module: str) -> psutil.Process:
        """The process that runs this module."""
        return next(
            process for process in psutil.Process(self.pid).children(recursive=True) if module in process.cmdline()
        )

    async def command(self, *words: str) -> Any:
        """The JSON answer of a wordyard command on this service's data."""
        process = await asyncio.create_subprocess_exec(
            *WORDYARD, *words, "--json", "--data", str(self.folder), stdout=asyncio.subprocess.PIPE
        )
        out, _ = await process.communicate()
        return msgspec.json.decode(out.splitlines()[-1])


async def verified(service: Service) -> tuple[Any, Any, Sequence[Figure]]:
    """What audit and replay say of all that there is, and how much of it is not as it must be."""
    audited = await service.command("audit", "--all")
    replayed = await service.command("replay", "--check")
    differences = sum(len(outcome["differences"]) for outcome in replayed)
    return (
        audited,
        replayed,
        [
            figures.at_most("problems that the audit finds", len(audited["problems"]) + len(audited["rest"]), "", 0),
            figures.at_most("rows that are not as a fresh fold makes them", differences, "", 0),
        ],
    )


async def folded(settings: Settings) -> int:
    """The record up to which all projections have folded."""
    async with await psycopg.AsyncConnection.connect(settings.postgres_url) as connection:
        row = await (await connection.execute("select min(seq) from positions")).fetchone()
        return int(row[0] or 0) if row else 0


def _part(process: psutil.Process) -> str:
    """What a process is to the service."""
    words = process.cmdline()
    module = next((name for name, module in MODULES.items() if module in words), "")
    return module or {"nats-server": "NATS", "postgres": "PostgreSQL"}.get(process.name(), "up")


def _has_parent_with(process: psutil.Process, words: str) -> bool:
    try:
        return any(words in " ".join(parent.cmdline()) for parent in process.parents()[:2])
    except psutil.Error:
        return False


@asynccontextmanager
async def started(sync: str, *, apart: bool = False, more: Sequence[str] = ()) -> AsyncIterator[Service]:
    """A new service with everything on but the rate limits; `apart`: a Ctrl-C in our terminal does not end it.

    `more` are further options of `wordyard up`.
    """
    folder = Path(tempfile.mkdtemp(prefix="wy-bench-"))
    start = time.perf_counter()
    up = await asyncio.create_subprocess_exec(
        *WORDYARD,
        *("up", "--data", str(folder), "--port", "0", "--sync", sync, "--json", *more),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "WORDYARD_RATE_LIMIT": "false"},
        start_new_session=apart,
    )
    try:
        assert up.stdout is not None  # noqa: S101 - asked for above
        line = await up.stdout.readline()
        ready = msgspec.json.decode(line)
        yield Service(ready["address"], folder, up.pid, time.perf_counter() - start)
    finally:
        if up.returncode is None:
            up.terminate()
        await up.wait()
        shutil.rmtree(folder, ignore_errors=True)

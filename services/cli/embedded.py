"""Everything at once on this machine: servers, tables, streams and services, each when what it needs is there."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx
from msgspec.structs import replace

from libs.runtime import bus, postgres
from libs.runtime.embedded.ports import free_port
from libs.runtime.settings import Settings, environment
from libs.runtime.streams import ensure_streams
from services.cli.children import Child, Failed
from services.cli.folder import Folder
from services.solver import build_kernel, place

WATCHED = 1.0  # seconds between two looks at the servers
LAST_WORDS = 12.0  # seconds for a service to end; then it is ended by force
START_WITHIN = 90.0  # seconds for everything to be ready: a large log is read again after a crash

MODULES = {
    "game": "services.game",
    "scheduler": "services.scheduler",
    "solver": "services.solver.serve",
    "worker": "services.solver",
    "api": "services.api",
}
"""The services, and what runs them."""
GIVE_WAY = {"scheduler": 5, "worker": 5}
"""What no player waits for leaves the processors to what a guess passes, by so many steps of `nice`."""


class Embedded:
    """One whole Wordyard in a folder that this process holds."""

    def __init__(self, folder: Folder, settings: Settings, solvers: int = 1, without: str | None = None) -> None:
        """`without` this service, which somebody else starts."""
        modules = MODULES | {f"solver-{number}": MODULES["solver"] for number in range(2, solvers + 1)}
        modules.pop(without or "", None)
        self._folder = folder
        self._settings = settings
        self._nats = folder.nats
        self._postgres = folder.postgres
        self._guard: asyncio.subprocess.Process | None = None
        self._pending: asyncio.Future[list[BaseException | None]] | None = None
        self._keeping: list[asyncio.Task[None]] = []
        self._ports = {name: settings.port if name == "api" else free_port() for name in modules}
        self._children = {
            name: Child(
                name,
                module,
                f"http://{self._at(name)}/health/ready",
                folder.logs / f"{name}.log",
                GIVE_WAY.get(name, 0),
            )
            for name, module in modules.items()
        }

    def _at(self, name: str) -> str:
        api = self._settings.host if self._settings.host not in ("0.0.0.0", "::") else "127.0.0.1"  # noqa: S104
        return f"{api if name == 'api' else '127.0.0.1'}:{self._ports[name]}"

    async def start(self, *, remove: bool, say: Callable[[str], None]) -> None:
        """Start everything and wait until it is ready; `remove`: should we die, the folder goes too.

        Raises `Failed`, `StartFailed` or `TimeoutError`.
        """
        self._guard = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "services.cli.guard",
            str(self._folder.path),
            str(os.getpid()),
            *(["--remove"] if remove else []),
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        say("Starting NATS and PostgreSQL")
        await self._see_through(
            self._start_nats(), asyncio.to_thread(self._start_postgres), asyncio.to_thread(self._compile)
        )
        say("Starting the services")
        self._configure()
        self._keeping = [asyncio.create_task(child.keep()) for child in self._children.values()]
        async with httpx.AsyncClient(trust_env=False) as client, asyncio.timeout(START_WITHIN):
            await asyncio.gather(*(child.ready(client) for child in self._children.values()))

    async def _see_through(self, *works: Awaitable[None]) -> None:
        """Do all of this, which uses threads and cannot be cancelled: before anything is stopped it must have ended."""
        self._pending = asyncio.gather(*works, return_exceptions=True)
        for outcome in await asyncio.shield(self._pending):
            if outcome is not None:
                raise outcome

    def _compile(self) -> None:
        with suppress(build_kernel.NotBuilt):  # then the solvers run on numpy
            build_kernel.build(place.folder(self._settings.solver_folder))

    def _start_postgres(self) -> None:
        self._postgres.start()
        postgres.migrate(self._postgres.url, contract=True)  # nothing else uses this database

    async def _start_nats(self) -> None:
        await asyncio.to_thread(self._nats.start)
        connection = await bus.connect(replace(self._settings, nats_url=self._nats.url), "up")
        try:
            await ensure_streams(connection, 1)
        finally:
            await connection.close()

    def _configure(self) -> bool:
        """Tell the services where the servers are; answers whether that has changed."""
        settings = replace(self._settings, nats_url=self._nats.url, postgres_url=self._postgres.url)
        changed = False
        for name, child in self._children.items():
            own = settings if name == "api" else replace(settings, ops_port=self._ports[name])
            if name != "game":
                own = replace(own, daily_key="")
            if name not in ("api", "worker"):
                own = replace(own, push_key="")
            variables = environment(own)
            changed = changed or child.environment != variables
            child.environment = variables
        return changed

    async def watch(self) -> None:
        """Start a server again when it dies, and keep the logs short, until cancelled.

        Raises `StartFailed`, or `Failed` if somebody has removed the folder.
        """
        while True:
            if not self._folder.there:
                raise Failed(f"The data folder {self._folder.path} has been removed.")
            if not self._nats.running:
                await self._see_through(asyncio.to_thread(self._nats.start))
            if not self._postgres.running:
                await self._see_through(asyncio.to_thread(self._postgres.start))
                if self._configure():
                    for child in self._children.values():
                        child.signal(signal.SIGTERM)
            for child in self._children.values():
                child.rotate_log()
            await asyncio.sleep(WATCHED)

    async def stop(self, hurry: asyncio.Event) -> None:
        """End everything: the api, the other services, then the servers; without waiting when in a hurry."""
        if self._pending is not None:
            await asyncio.wait([self._pending])
        for task in self._keeping:
            task.cancel()
        await _end(self._children["api"], hurry)  # nothing new comes in; what is under way is still answered
        await asyncio.gather(*(_end(child, hurry) for child in self._children.values()))
        await asyncio.gather(asyncio.to_thread(self._nats.stop), asyncio.to_thread(self._postgres.stop))
        if self._guard is not None and self._guard.stdin is not None:
            self._guard.kill()  # nothing is left to be guarded
            await self._guard.wait()


async def _end(child: Child, hurry: asyncio.Event) -> None:
    child.signal(signal.SIGKILL if hurry.is_set() else signal.SIGTERM)
    hurried = asyncio.create_task(hurry.wait())
    ended = asyncio.create_task(child.ended())
    await asyncio.wait([hurried, ended], timeout=LAST_WORDS, return_when=asyncio.FIRST_COMPLETED)
    hurried.cancel()
    if not ended.done():
        child.signal(signal.SIGKILL)
    await ended

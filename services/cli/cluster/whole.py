"""The cluster: what is started in which order, and ended in which."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from libs.runtime.embedded import Postgres, StartFailed
from libs.runtime.embedded.postgres_server import LONGEST_SOCKET, SOCKET
from libs.runtime.settings import Settings
from services.cli.cluster.parts import Database, Part, all_of
from services.cli.cluster.plan import SERVERS, Plan
from services.cli.folder import Folder

ENDED = (("api",), ("proxy", "game", "scheduler", "solver", "worker"), ("nats", "postgres"))
"""What is ended one after the other: each needs those that come later."""


class Cluster:
    """All of it, below one folder: the given one, which is kept, or a new one, which goes with the cluster.

    `port` is the proxy's (0: any free one). With `tls` the proxy and NATS encrypt; PostgreSQL listens on a socket file
    alone. Not `durable`, it does not care about power cuts. `settings` are variables for all services beyond those of
    compose.yaml, such as WORDYARD_RATE_LIMIT.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        port: int = 0,
        tls: bool = False,
        durable: bool = True,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._kept = path is not None
        self.folder = Folder(path or Path(tempfile.mkdtemp(prefix="wy-")))
        if len(os.fsencode(self.folder.path / "postgres" / SOCKET)) > LONGEST_SOCKET:
            raise ValueError(f"{self.folder.path}: too long for the sockets of PostgreSQL")
        self._plan = Plan(self.folder, port, tls=tls, more=settings or {})
        self._database = Database(Postgres(self.folder.path / "postgres", durable=durable))
        self._guard: subprocess.Popen[bytes] | None = None
        self.processes: dict[str, Part] = {}

    @property
    def address(self) -> str:
        """Where players go: the proxy."""
        return self._plan.address

    @property
    def certificate(self) -> Path:
        """The root by which clients believe the proxy, once it has started with TLS."""
        return self._plan.certificate

    @property
    def nats_urls(self) -> dict[str, str]:
        """Where clients of each NATS server connect, by its name."""
        return self._plan.nats_urls

    @property
    def postgres_dsn(self) -> str:
        """Where clients of PostgreSQL connect, while it runs."""
        return self._database.dsn

    def settings(self, user: str = "operator") -> Settings:
        """What leads to the servers, as this user of NATS."""
        return Settings(
            nats_url=",".join(self.nats_urls.values()),
            nats_user=user,
            nats_password=self._plan.passwords[user],
            nats_ca=self._plan.nats_ca,
            postgres_url=self.postgres_dsn,
            log_replicas=len(SERVERS),
            create_streams=False,
        )

    def kill(self, name: str) -> None:
        """End this one as a power cut would: without any warning."""
        self.processes[name].kill()

    def pause(self, name: str) -> None:
        """Make this one stand still, its connections open."""
        self.processes[name].pause()

    def resume(self, name: str) -> None:
        """Let this one go on."""
        self.processes[name].resume()

    def stop(self, name: str) -> None:
        """Ask this one to end and wait for it."""
        self.processes[name].stop()

    def start(self, name: str) -> None:
        """Start this one again where it was, and wait until it is ready. Raises `StartFailed`."""
        self.processes[name].start()

    def restart(self, name: str) -> None:
        """Ask this one to end, wait for it, start it again and wait until it is ready. Raises `StartFailed`."""
        self.stop(name)
        self.start(name)

    def __enter__(self) -> "Cluster":
        """Start everything and wait until it is ready. Raises `StartFailed`, or `InUse` for the folder."""
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End everything: in order if the folder is kept, else at once."""
        self.close(orderly=self._kept)

    def open(self, say: Callable[[str], None] = lambda _: None) -> None:
        """Start everything and wait until it is ready; `say` is told what is done now.

        Raises `StartFailed`, or `InUse` for the folder.
        """
        self.folder.hold()
        self.folder.sign(self.address)
        try:
            self._start(say)
        except BaseException:
            self.close(orderly=False)
            raise

    def _start(self, say: Callable[[str], None]) -> None:
        self._guard = self._watch()
        say("Starting NATS and PostgreSQL")
        self._start_all([*self._plan.servers(), self._database])
        say("Preparing tables and streams")
        self.prepare()
        say("Starting the services")
        self._start_all(self._plan.services(self.postgres_dsn))
        say("Starting the proxy")
        self._start_all([self._plan.proxy()])

    def _start_all(self, parts: Sequence[Part]) -> None:
        self.processes |= {part.name: part for part in parts}
        all_of([part.start for part in parts])

    def prepare(self, *options: str, more: Mapping[str, str] | None = None) -> None:
        """Run `wordyard prepare` with these options and `more` variables. Raises `StartFailed`."""
        log_file = self.folder.logs / "prepare.log"
        command = [sys.executable, "-m", "services.cli", "prepare", *options]
        environment = {**self._plan.prepare(self.postgres_dsn), **(more or {})}
        with log_file.open("ab") as log:
            if subprocess.run(command, env=environment, stdout=log, stderr=log).returncode:
                raise StartFailed("wordyard prepare", log_file)

    def _watch(self) -> subprocess.Popen[bytes]:
        """Start the guard, which cleans up should this process be killed."""
        command = [sys.executable, "-m", "services.cli.guard", str(self.folder.path), str(os.getpid())]
        remove = [] if self._kept else ["--remove"]
        return subprocess.Popen([*command, *remove], stdin=subprocess.PIPE, start_new_session=True)

    def close(self, *, orderly: bool = True) -> None:
        """End everything; in order, the api first and the servers last, or at once. A new folder is removed."""
        if orderly:
            for kinds in ENDED:
                all_of([part.stop for name, part in self.processes.items() if name.partition("-")[0] in kinds])
        else:
            all_of([part.kill for part in self.processes.values()])
        if self._guard is not None:
            self._guard.kill()  # nothing is left to be guarded
            self._guard.communicate()
        self.folder.release()
        if not self._kept:
            shutil.rmtree(self.folder.path, ignore_errors=True)

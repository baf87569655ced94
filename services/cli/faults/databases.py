"""PostgreSQL ends in the middle of a fold, or is an older copy when it comes back."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from libs.runtime.embedded.postgres_server import binaries
from libs.runtime.embedded.processes import have_ended
from services.cli.cluster import Cluster
from services.cli.faults.fault import Act, Fault, Stage

POSTGRES = "postgres"
FOLDS_WITHIN = 20.0  # seconds for a fold to come to where it is held up
LOOK = 0.02  # seconds between two looks
ENDED_WITHIN = 30.0  # seconds for PostgreSQL to end

WAITING = "select pid from pg_stat_activity where %s = any(pg_blocking_pids(pid))"


@contextmanager
def folding(cluster: Cluster) -> Iterator[int]:
    """Within, a fold has begun and cannot go on; the process id of its side of PostgreSQL. Raises `TimeoutError`."""
    # PostgreSQL may go, and the one who holds the fold up with it
    with suppress(psycopg.OperationalError), psycopg.connect(cluster.postgres_dsn, connect_timeout=2) as holding:
        holding.execute("lock table games.games in exclusive mode")
        yield _held_up(cluster, holding.info.backend_pid)


def _held_up(cluster: Cluster, by: int) -> int:
    deadline = time.monotonic() + FOLDS_WITHIN
    with psycopg.connect(cluster.postgres_dsn, autocommit=True, connect_timeout=2) as looking:
        while True:
            if row := looking.execute(WAITING, (by,)).fetchone():
                return int(row[0])
            if time.monotonic() > deadline:
                raise TimeoutError("no fold began")
            time.sleep(LOOK)


def amid_a_fold(end: Callable[[Cluster, int], None]) -> Act:
    """End PostgreSQL so, a fold being in its middle; after a while it is started again."""

    def ended(cluster: Cluster) -> None:
        with folding(cluster) as fold:
            end(cluster, fold)

    async def act(stage: Stage) -> None:
        await stage.do(ended, stage.cluster)
        await stage.last()
        await stage.do(stage.cluster.start, POSTGRES)

    return act


def fast(cluster: Cluster, _fold: int) -> None:
    """As an operator restarts it."""
    cluster.stop(POSTGRES)


def immediate(cluster: Cluster, _fold: int) -> None:
    """Without saving anything: its journal is replayed when it starts."""
    server = psutil.Process(cluster.processes[POSTGRES].pid)
    server.send_signal(signal.SIGQUIT)
    have_ended([server], ENDED_WITHIN)


def one_process(_cluster: Cluster, fold: int) -> None:
    """kill -9 of the fold's side: PostgreSQL ends all connections, and is there again by itself."""
    os.kill(fold, signal.SIGKILL)


async def restore(stage: Stage) -> None:
    """Put back a copy that the log has left behind."""
    backup = stage.folder / "backup"
    await stage.do(_back_up, stage.cluster, backup)
    await stage.last()
    await stage.load.more(1, ENDED_WITHIN)  # the log has gone on
    await stage.do(stage.cluster.stop, POSTGRES)
    await stage.do(_put_back, stage.cluster, backup)
    await stage.do(stage.cluster.start, POSTGRES)


def _back_up(cluster: Cluster, backup: Path) -> None:
    command = [str(binaries() / "pg_basebackup"), "--pgdata", str(backup), "--checkpoint", "fast", "--no-sync"]
    subprocess.run([*command, "--dbname", cluster.postgres_dsn], check=True, capture_output=True)


def _put_back(cluster: Cluster, backup: Path) -> None:
    data = cluster.folder.path / POSTGRES
    owner = data.stat()
    shutil.rmtree(data)
    shutil.move(backup, data)
    for path in (data, *data.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


def faults() -> Iterable[Fault]:
    """Each of these."""
    catches_up = "guesses go on, but no game begins; tables catch up"
    for name, end, does in (
        ("restart-postgres", fast, "PostgreSQL is stopped (fast) amid a fold"),
        ("crash-postgres", immediate, "PostgreSQL is stopped (immediate) amid a fold"),
        ("kill-fold", one_process, "kill -9 of PostgreSQL's process that folds"),
    ):
        yield Fault(name=name, does=does, expected=catches_up, act=amid_a_fold(end))
    yield Fault(
        name="restore-postgres",
        does="PostgreSQL becomes a backup that is older than the log",
        expected="tables catch up from where the backup was",
        act=restore,
    )

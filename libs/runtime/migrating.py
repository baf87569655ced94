"""Brings the tables of a database to what this release needs, while copies of the release before it still use them."""

import time
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import Connection, errors
from psycopg.rows import TupleRow

from libs.runtime.steps import APPLIED, TABLES, Step, steps

MIGRATING = 0x776F7264  # the advisory lock of whoever migrates: "word"
LOCKED = "3s"  # that a step waits for a table: all who come after it wait too
TRIES = 20  # of a step that could not have its table
PAUSE = 0.5  # seconds before the next one
LOOK = 0.1  # seconds between two looks whether somebody else has migrated

_MAKE = (
    "create table if not exists migrations (name text primary key, at timestamptz not null default now(), needs text)",
    "alter table migrations add column if not exists needs text",
)
_NOTE = "insert into migrations (name, needs) values (%s, %s)"


def migrate(url: str, packages: Iterable[str] = TABLES, *, contract: bool = False) -> list[str]:
    """Apply the table files that this database lacks, each once; answers with their names.

    Those that take something away only with `contract`, or where there was nothing yet. Each is applied wholly or not
    at all, but for those outside of transactions, which are begun anew. Two that migrate at once wait for each other.
    Raises `psycopg.Error`; what was applied before stays.
    """
    done = []
    with psycopg.connect(url, autocommit=True) as connection, _alone(connection):
        for query in _MAKE:
            connection.execute(query)
        known = {name for (name,) in connection.execute("select name from migrations")}
        for step in steps(packages):
            if step.name not in known and (contract or not step.contract or not known):
                _insist(connection, step)
                done.append(step.name)
    return done


def applied(url: str) -> Mapping[str, str]:
    """The files that were applied, each with the first release that does without what it took away, if it took any.

    Raises `psycopg.Error`.
    """
    with psycopg.connect(url, connect_timeout=3) as connection:
        try:
            return dict(connection.execute(APPLIED).fetchall())
        except errors.UndefinedTable:
            return {}


def waiting(known: Container[str]) -> list[str]:
    """The files that take something away, and are not among these that were applied."""
    return [step.name for step in steps() if step.contract and step.name not in known]


@contextmanager
def _alone(connection: Connection[TupleRow]) -> Iterator[None]:
    # asked again and again: who waits inside of a statement holds up an index that is made beside play
    while connection.execute("select pg_try_advisory_lock(%s)", (MIGRATING,)).fetchone() != (True,):
        time.sleep(LOOK)
    try:
        yield
    finally:
        if not connection.closed:
            connection.execute("select pg_advisory_unlock(%s)", (MIGRATING,))


def _insist(connection: Connection[TupleRow], step: Step) -> None:
    for left in reversed(range(TRIES)):
        try:
            _apply(connection, step)
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            if not left:
                raise
            time.sleep(PAUSE)
        else:
            return


def _apply(connection: Connection[TupleRow], step: Step) -> None:
    if step.outside:
        for statement in filter(str.strip, step.sql.split(";")):
            connection.execute(statement.encode())
        connection.execute(_NOTE, (step.name, step.contract or None))
        return
    with connection.transaction():
        connection.execute(f"set local lock_timeout = '{LOCKED}'".encode())
        connection.execute(step.sql.encode())
        connection.execute(_NOTE, (step.name, step.contract or None))

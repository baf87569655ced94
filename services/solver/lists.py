"""The table `solver_lists`: what tasks have worked out for a word list, known by its hash, for the solvers to load."""

from datetime import datetime

import psycopg
from psycopg_pool import ConnectionPool

from libs.core import lexicon
from libs.core.solver_openings import KIND
from libs.runtime.tasks import FIRST_ROWS, OPENINGS, QUEUE, list_task

_MISSING = """
select task from unnest(%s::text[]) as task
where not exists (select 1 from solver_lists where words = %s and name = task)
"""
_PUT = """
insert into solver_lists (words, name, content, made_at) values (%s, %s, %s, %s) on conflict (words, name) do nothing
"""
_GET = "select content from solver_lists where words = %s and name = %s"


def newest() -> str:
    """The hash of the newest list."""
    return lexicon.digest(lexicon.words(lexicon.editions()[-1], KIND))


def remember(pool: ConnectionPool, words: str) -> int:
    """Queue what has not been worked out for this list; answers with how many tasks that are."""
    with pool.connection() as connection:
        missing = connection.execute(_MISSING, ([OPENINGS, FIRST_ROWS], words)).fetchall()
        for (task,) in missing:
            connection.execute(QUEUE, list_task(task, words))
    return len(missing)


def put(connection: psycopg.Connection[object], words: str, name: str, content: bytes, now: datetime) -> None:
    """Keep what a task has worked out for a list."""
    connection.execute(_PUT, (words, name, content, now))


def get(connection: psycopg.Connection[object], words: str, name: str) -> bytes | None:
    """What this task has worked out for a list, if it has."""
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        found = cursor.execute(_GET, (words, name)).fetchone()
    return None if found is None else bytes(found[0])

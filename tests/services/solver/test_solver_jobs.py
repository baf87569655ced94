"""What workers work out with the solver: what a list needs, once, and where every solver finds it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import dramatiq
import psycopg
import pytest
from msgspec.structs import replace
from psycopg_pool import ConnectionPool

from libs.core import lexicon
from libs.core.board import Row
from libs.core.solver_openings import decode, openings
from libs.runtime.clock import clock
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from libs.runtime.tasks import FIRST_ROWS, OPENINGS, QUEUE, SOLVER_QUEUE, list_task
from services.solver import broker, jobs, lists, newer, warm
from services.solver.common import COUNT, first_rows
from services.solver.tasks import declare
from tests import servers
from tests.services.solver import solvers
from tests.services.solver.fleets import fleet
from tests.services.solver.solvers import LETTERS
from tests.until import until


@pytest.fixture(scope="module", autouse=True)
def _tables(postgres_url: str) -> None:
    migrate(postgres_url, ("services.api.tables", "services.solver.tables"))


@pytest.fixture
def database(postgres_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection
        connection.execute("truncate solver_lists, dramatiq.queue")


@contextmanager
def worker(settings: Settings) -> Iterator[ConnectionPool]:
    with servers.folder() as folder:
        queue, pool = broker.connect(settings)
        declare(queue, pool, replace(settings, solver_folder=str(folder)), clock())
        with pool, broker.working(queue):
            yield pool


def idle(database: psycopg.Connection[tuple[object, ...]]) -> bool:
    return database.execute("select count(*) from dramatiq.queue").fetchone() == (0,)


async def test_a_new_list_has_its_openings_and_first_rows_worked_out_once(database, settings: Settings) -> None:
    words = lists.newest()
    assert words == LETTERS.digest
    with worker(settings) as pool:
        assert lists.remember(pool, words) == 2
        await until(lambda: lists.get(database, words, FIRST_ROWS), 30)
        await until(lambda: lists.get(database, words, OPENINGS), 30)
        assert lists.remember(pool, words) == 0
    found = lists.get(database, words, OPENINGS)
    assert found is not None
    assert decode(found) == openings(lexicon.newest().edition)


async def test_a_task_that_waits_is_not_queued_again(database, settings: Settings) -> None:
    _, pool = broker.connect(settings)
    with pool:
        for _ in range(2):
            assert lists.remember(pool, lists.newest()) == 2
    assert database.execute("select count(*) from dramatiq.queue").fetchone() == (2,)


async def test_the_list_of_another_release_is_left_to_its_workers(database, settings: Settings) -> None:
    for task in (OPENINGS, FIRST_ROWS):
        database.execute(QUEUE, list_task(task, "0" * 64))
    with worker(settings):
        await until(lambda: idle(database), 30)
    assert database.execute("select count(*) from solver_lists").fetchone() == (0,)


def test_the_first_tasks_share_one_solver(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(jobs._ready, [tmp_path] * 4))
    assert len({id(solver) for solver, _ in made}) == 1


def test_a_solver_keeps_what_was_worked_out_as_it_would_have_found_it(database, settings: Settings) -> None:
    rows = first_rows(LETTERS, lexicon.newest().secrets)
    assert warm.load(settings.postgres_url, solvers.solver("numpy")) is None
    lists.put(database, LETTERS.digest, FIRST_ROWS, warm.work_out(solvers.solver("numpy"), rows), clock()())
    warmed, other = solvers.solver("numpy"), solvers.solver("numpy")
    assert warm.load(settings.postgres_url, warmed) == COUNT
    for row in rows:
        assert warmed.known(frozenset({row})) is not None
        assert warmed.answer([row]) == other.answer([row])
    assert warmed.known(frozenset({Row("house", "CCCCC")})) is None


@pytest.mark.parametrize("kept", [0, 1, 50, -1])
def test_what_is_damaged_is_not_loaded(database, settings: Settings, kept: int) -> None:
    content = warm.work_out(solvers.solver("numpy"), [Row("crane", "IIIII")])
    lists.put(database, LETTERS.digest, FIRST_ROWS, content[:kept], clock()())
    assert warm.load(settings.postgres_url, solvers.solver("numpy")) == 0


def test_without_a_database_a_solver_does_without(settings: Settings) -> None:
    assert warm.load("postgresql://127.0.0.1:1/none", solvers.solver("numpy")) is None


async def test_a_solver_warms_itself_when_it_has_started(database, settings: Settings) -> None:
    rows = first_rows(LETTERS, lexicon.newest().secrets)
    with fleet(settings) as [solver]:
        lists.put(database, LETTERS.digest, FIRST_ROWS, warm.work_out(solvers.solver("numpy"), rows), clock()())
        await until(lambda: '"event":"warm"' in solver.lines(), 30)
        assert f'"boards":{COUNT}' in solver.lines()


async def test_a_task_that_only_a_newer_release_knows_is_left_to_its_workers(
    database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newer, "PAUSE", 200)
    database.execute(QUEUE, list_task("solver.next", lists.newest()))
    offered = "select count(*) from dramatiq.queue where queue_name = 'solver.DQ'"
    with worker(settings):
        await until(lambda: database.execute(offered).fetchone() == (1,))
    given_up = "select count(*) from dramatiq.queue where state = 'rejected'"
    assert database.execute(given_up).fetchone() == (0,)
    done: list[str] = []
    queue, pool = broker.connect(settings)
    dramatiq.actor(broker=queue, actor_name="solver.next", queue_name=SOLVER_QUEUE)(done.append)
    with pool, broker.working(queue):
        await until(lambda: done == [lists.newest()], 30)
        await until(lambda: idle(database))

"""Table files are applied once each, beside services that use the tables; and services see whether they suit them."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from libs.runtime import migrating
from libs.runtime.migrating import applied, migrate
from libs.runtime.steps import release
from libs.runtime.tables import Tables
from tests.until import until

Write = Callable[[str, str], None]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A package of table files of this test alone."""
    name = f"later_{abs(hash(request.node.name))}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


@pytest.fixture
def write(tmp_path: Path, package: str) -> Write:
    """Write a file of the package."""

    def written(name: str, sql: str) -> None:
        (tmp_path / package / name).write_text(sql)

    return written


def columns(url: str, table: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute("select column_name from information_schema.columns where table_name = %s", (table,))
        return {name for (name,) in found}


def test_what_takes_away_waits_until_it_is_asked_for(postgres_url: str, package: str, write: Write) -> None:
    migrate(postgres_url)
    write("0001_new.sql", "create table moods (id int, name text);")
    write("0002_less.sql", f"-- contract: {release()}\nalter table moods drop name;")
    write("0003_more.sql", "alter table moods add level int;")
    assert migrate(postgres_url, [package]) == [f"{package}/0001_new.sql", f"{package}/0003_more.sql"]
    assert columns(postgres_url, "moods") == {"id", "name", "level"}
    assert migrate(postgres_url, [package]) == []
    assert migrate(postgres_url, [package], contract=True) == [f"{package}/0002_less.sql"]
    assert columns(postgres_url, "moods") == {"id", "level"}
    assert applied(postgres_url)[f"{package}/0002_less.sql"] == release()


def test_a_file_is_applied_wholly_or_not_at_all(postgres_url: str, package: str, write: Write) -> None:
    write("0001_wrong.sql", "create table halves (id int); create table halves (id int);")
    with pytest.raises(psycopg.errors.DuplicateTable):
        migrate(postgres_url, [package])
    assert columns(postgres_url, "halves") == set()
    write("0001_wrong.sql", "create table halves (id int);")
    assert migrate(postgres_url, [package]) == [f"{package}/0001_wrong.sql"]


def test_an_index_is_made_beside_those_who_write(postgres_url: str, package: str, write: Write) -> None:
    write("0001_busy.sql", "create table busy (id int);")
    write("0002_index.sql", "-- outside of transactions\ncreate index concurrently if not exists by_id on busy (id);\n")
    assert len(migrate(postgres_url, [package])) == 2
    with psycopg.connect(postgres_url) as connection:
        found = connection.execute("select indisvalid from pg_index where indexrelid = 'by_id'::regclass").fetchone()
    assert found == (True,)


def test_a_table_in_use_is_waited_for_without_standing_in_the_way_of_others(
    postgres_url: str, package: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "LOCKED", "100ms")
    write("0001_used.sql", "create table used (id int);")
    migrate(postgres_url, [package])
    write("0002_more.sql", "alter table used add level int;")
    with psycopg.connect(postgres_url) as reader:
        reader.execute("select * from used")  # and its transaction stays open
        done: list[str] = []
        thread = threading.Thread(target=lambda: done.extend(migrate(postgres_url, [package])))
        thread.start()
        with psycopg.connect(postgres_url, autocommit=True) as other:
            for _ in range(50):
                other.execute("set statement_timeout = '5s'")
                other.execute("select * from used")
        assert done == []
    thread.join(30)
    assert done == [f"{package}/0002_more.sql"]


def test_two_that_migrate_at_once_apply_each_file_once(postgres_url: str, package: str, write: Write) -> None:
    for number in range(1, 4):
        write(f"000{number}_one.sql", f"create table one_{number} (id int);")
    done: list[str] = []
    threads = [threading.Thread(target=lambda: done.extend(migrate(postgres_url, [package]))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(done) == [f"{package}/000{number}_one.sql" for number in range(1, 4)]


async def test_a_service_waits_for_the_tables_that_it_needs(postgres_url: str, package: str, write: Write) -> None:
    migrate(postgres_url)
    write("0001_needed.sql", "create table needed (id int);")
    tables, stop = Tables(postgres_url, [package]), asyncio.Event()
    beginning = asyncio.create_task(tables.begin(stop))
    await until(lambda: tables.unfit)
    assert tables.unfit == f"they lack {package}/0001_needed.sql"
    assert not tables.begun
    await asyncio.to_thread(migrate, postgres_url, [package])
    assert await asyncio.wait_for(beginning, 10)
    assert (tables.unfit, tables.begun) == ("", True)


async def test_a_service_that_is_told_to_end_waits_no_longer(postgres_url: str, package: str, write: Write) -> None:
    write("0001_never.sql", "create table never (id int);")
    tables, stop = Tables(postgres_url, [package]), asyncio.Event()
    beginning = asyncio.create_task(tables.begin(stop))
    await until(lambda: tables.unfit)
    stop.set()
    assert not await asyncio.wait_for(beginning, 5)


async def test_a_service_goes_on_without_postgresql_since_nobody_can_say(postgres_url: str) -> None:
    tables = Tables("postgresql://127.0.0.1:1/none")
    assert await tables.begin(asyncio.Event())
    assert (tables.unfit, tables.begun) == ("", True)


async def test_a_running_service_notices_that_a_newer_release_took_away_what_it_needs(
    postgres_url: str, package: str, write: Write
) -> None:
    write("0001_kept.sql", "create table kept (id int);")
    await asyncio.to_thread(migrate, postgres_url, [package])
    tables = Tables(postgres_url, [package])
    assert await tables.begin(asyncio.Event())
    with psycopg.connect(postgres_url) as connection:
        connection.execute(
            "insert into migrations (name, needs) values (%s, null), (%s, '99.0.0')",
            (f"{package}/0002_adds.sql", f"{package}/0003_takes.sql"),
        )
    await tables.look()
    assert "99.0.0" in tables.unfit
    assert tables.begun

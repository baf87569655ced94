"""How the results of a day are read: from few rows, however many have finished the day, and whatever is known of it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, LiteralString, TypeAlias

import psycopg
import pytest
from psycopg import Connection
from psycopg.sql import SQL

from libs.core.daily_scores import ALL, FAILED, MINUTE, SECOND
from libs.runtime import postgres
from libs.runtime.embedded import Postgres
from services.api import daily_own, daily_record, daily_results, daily_standing
from services.game.projections.daily_faults import FAULTS
from services.game.projections.daily_rows import COUNTS, STATISTICS
from tests import servers

DAY, BEFORE = date(2026, 3, 7), date(2026, 3, 6)
N = 20_000
FEW = 1_800
"""Rows that a query may touch: a page, or 1,500 minutes and 60 seconds, and what shares a second."""

# Two in three are accounts; one in fifty fails, the others need up to a quarter of an hour.
_FILL = """
insert into daily.results
select gen_random_uuid(), %(day)s, 'p' || i, i %% 3 = 0, case when i %% 3 = 0 then 'o' || i else '' end,
    guesses, solved, true,
    case when solved then (guesses - 1) * (i * 7919 %% 180000) end,
    %(day)s::timestamptz + make_interval(secs => i), 'p' || i, i %% 3 <> 0, true, true
from (
    select i, i %% 50 <> 0 as solved, case when i %% 50 = 0 then 6 else 1 + i * 31 %% 6 end as guesses
    from generate_series(1, %(n)s) i
) those
"""
_SCORE = {"day": DAY, "guesses": 4, "ms": 270_123, "minute": MINUTE, "second": SECOND, "minutes": 4, "seconds": 270}
_START = {"day": DAY, "guesses": 0, "ms": -1, "finished_at": datetime(2026, 1, 1, tzinfo=UTC), "limit": 101}
_NOBODY = "00000000-0000-0000-0000-000000000000"

Query: TypeAlias = tuple[LiteralString, Any]

STANDING: Mapping[str, Query] = {
    "totals": (daily_standing.TOTALS, {"day": DAY, "all": ALL, "most": FAILED}),
    "better": (daily_standing.BETTER, _SCORE),
    "the first page": (daily_standing.BOARD, _START | {"game": _NOBODY}),
    "a page in the middle": (daily_standing.BOARD, _START | {"guesses": 4, "ms": 270_123, "game": _NOBODY}),
    "a page among equals": (daily_standing.BOARD, _START | {"guesses": 1, "ms": 0, "game": _NOBODY}),
}
OTHERS: Mapping[str, Query] = {
    "a guest of the same address": (daily_own.TAKEN, {"day": DAY, "origin": "o6"}),
    "own": (daily_own.OWN, {"seats": ["p7", "p8"], "player": "p7", "day": DAY}),
    "rivals": (daily_results.RIVALS, {"player": "p7", "day": DAY}),
    "statistics": (daily_record.STATISTICS, ("p7",)),
    "newest": (daily_record.NEWEST_RESULTS, ("p7", 30)),
    "month": (daily_record.DAYS, ("p7", BEFORE, DAY)),
}


@pytest.fixture(scope="module")
def url(postgres_server: Postgres) -> Iterator[str]:
    with servers.database(postgres_server) as url:
        postgres.migrate(url)
        yield url


def fill(connection: Connection[Any], day: date, n: int) -> None:
    connection.execute(_FILL, {"day": day, "n": n})
    for table in (COUNTS, STATISTICS):
        right = SQL(FAULTS[table]).format(schema=SQL("daily"))
        rows = [fresh for _, fresh in connection.execute(right) if fresh is not None]
        connection.execute(SQL("truncate {}").format(table.at("daily")))
        query = "insert into {0} select * from json_populate_recordset(null::{0}, %s::json)"
        connection.execute(SQL(query).format(table.at("daily")), (psycopg.types.json.Json(rows),))


@pytest.fixture(params=["never analyzed", "analyzed on the day before", "analyzed"], scope="module")
def database(request: pytest.FixtureRequest, url: str) -> Iterator[Connection[Any]]:
    """A day that many have finished, and more or less knowledge of it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("alter table daily.results set (autovacuum_enabled = false)")
        connection.execute("truncate daily.results, daily.counts, daily.statistics, results.rivals")
        connection.execute("delete from pg_statistic where starelid::regclass::text like 'daily.%'")
        connection.execute(
            "insert into results.rivals select 'p7', 'p' || i, 'duel', 0, 0, 0, 1, gen_random_uuid(), '2026-03-01' "
            "from generate_series(100, 149) i"
        )
        if request.param == "analyzed on the day before":
            fill(connection, BEFORE, N // 10)
            connection.execute("analyze")
        fill(connection, DAY, N)
        if request.param == "analyzed":
            connection.execute("analyze")
        yield connection


def explained(connection: Connection[Any], query: Query, mode: str, before: LiteralString = "") -> dict[str, Any]:
    """The plan of a query that is prepared, as the api's queries are soon, and what it has read."""
    text, values = query
    asked = list(values.items()) if isinstance(values, dict) else [("s", value) for value in values]
    for number, (name, _) in enumerate(asked, 1):
        placeholder = "%s" if name == "s" else f"%({name})s"
        text = text.replace(placeholder, f"${number}", 1 if name == "s" else -1)  # type: ignore[assignment]
    with connection.transaction(force_rollback=True), psycopg.ClientCursor(connection) as cursor:
        if before:
            cursor.execute(before)
        cursor.execute(f"set local plan_cache_mode = {mode}".encode())
        cursor.execute(f"prepare asked as {text}".encode())
        places = ", ".join(["%s"] * len(asked))
        cursor.execute(
            f"explain (analyze, format json) execute asked ({places})".encode(), [value for _, value in asked]
        )
        [(found,)] = cursor.fetchall()
        cursor.execute("deallocate asked")
    plan: dict[str, Any] = found[0]["Plan"]
    return plan


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def assert_few(plan: dict[str, Any]) -> None:
    """It reads by an index, and few rows."""
    read = 0
    for node in nodes(plan):
        if node.get("Relation Name") in ("results", "counts", "statistics"):
            assert node["Node Type"] in ("Index Scan", "Index Only Scan", "Bitmap Heap Scan")
            read += (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
    assert 0 < read <= FEW


@pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])
@pytest.mark.parametrize("query", STANDING)
def test_no_plan_of_a_standing_goes_through_the_day(database: Connection[Any], query: str, mode: str) -> None:
    plan = explained(database, STANDING[query], mode, daily_standing.SNAPSHOT)
    assert_few(plan)
    assert [node for node in nodes(plan) if "Sort" in node["Node Type"]] == []


@pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])
@pytest.mark.parametrize("query", OTHERS)
def test_nor_does_any_other(database: Connection[Any], query: str, mode: str) -> None:
    assert_few(explained(database, OTHERS[query], mode))

"""The numbered table files can be applied while the release before them serves; those that cannot say so."""

import re

import pytest

from libs.runtime.steps import TABLES, Step, fit, number, release, step, steps
from tests.runtime.table_files import faults

FIRST = {"services.game.tables": 6, "services.api.tables": 14, "services.solver.tables": 2}
"""Up to these numbers no release was out whose copies could run meanwhile."""

ADDING = """
create table marks (game uuid primary key, mark text not null);
create index on marks (mark);
alter table players add mood text, add level int not null default 1;
alter table players alter mood drop not null;
alter table players add constraint sound check (level > 0) not valid;
"""
CONCURRENT = "-- outside of transactions\ncreate index concurrently if not exists on_mood on players (mood);"


def test_every_file_can_be_applied_under_the_release_before() -> None:
    found = []
    for one in steps():
        package, name = one.name.split("/")
        if int(name[:4]) > FIRST[package]:
            found += [f"{one.name}: {fault}" for fault in faults(one, number(release()), number(one.contract))]
    assert found == []


def test_the_files_of_a_package_are_numbered_without_a_gap() -> None:
    for package in TABLES:
        names = [one.name.split("/")[1] for one in steps([package])]
        assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
        assert all(re.fullmatch(r"\d{4}_[a-z_]+\.sql", name) for name in names)


@pytest.mark.parametrize("sql", [ADDING, CONCURRENT, f"-- contract: {release()}\nalter table players drop mood;"])
def test_what_adds_may_be_applied_and_so_may_what_says_that_it_takes_away(sql: str) -> None:
    one = step("services.api.tables/0099_next.sql", sql)
    assert list(faults(one, number(release()), number(one.contract))) == []


@pytest.mark.parametrize(
    "sql",
    [
        "drop table players",
        "drop schema results cascade",
        "alter table players drop column name",
        "alter table players drop name",
        "alter table players rename name to title",
        "alter table players rename to people",
        "alter table players alter name set not null",
        "alter table players add mood text not null",
        "alter table players\n  alter level type bigint",
        "delete from positions where name = 'results'",
        "truncate players",
        "update players set mood = 'fair'",
        "alter table players add id uuid default gen_random_uuid()",
        "alter table players add maker text references players",
        "alter table players add unique (name)",
        "create index on players (mood)",
        "create unique index on players (mood)",
        "create index concurrently on players (mood)",
        "-- outside of transactions\ncreate index concurrently on_mood on players (mood)",
        "drop index on_mood",
        "lock table players",
        "-- contract: 99.0.0\nalter table players drop name",
        "-- contract: 0.1.0\nupdate players set mood = 'fair'",
    ],
)
def test_what_hurts_older_copies_or_stops_play_is_found(sql: str) -> None:
    one = step("services.api.tables/0099_next.sql", f"{sql};\n")
    assert list(faults(one, number(release()), number(one.contract)))


def applied(*more: Step) -> dict[str, str]:
    return {one.name: one.contract for one in (*steps(), *more)}


def test_tables_of_a_newer_release_suit_this_one_until_what_it_needs_is_taken_away() -> None:
    assert fit(applied()).state == "exact"
    adds = step("services.api.tables/0099_next.sql", "")
    assert (fit(applied(adds)).state, fit(applied(adds)).good) == ("newer", True)
    takes = step("services.api.tables/0100_gone.sql", "-- contract: 99.0.0\n")
    assert (fit(applied(adds, takes)).state, fit(applied(adds, takes)).good) == ("gone", False)
    assert "99.0.0" in fit(applied(adds, takes)).what
    harmless = step("services.api.tables/0100_gone.sql", f"-- contract: {release()}\n")
    assert fit(applied(adds, harmless)).good


def test_tables_that_lack_a_file_of_this_release_do_not_suit_it_and_each_service_needs_its_own() -> None:
    known = applied()
    del known["services.api.tables/0014_told.sql"]
    assert fit(known).state == "older"
    assert "services.api.tables/0014_told.sql" in fit(known).what
    assert fit(known, ["services.game.tables"]).state == "exact"
    assert not fit({}).good

"""`wordyard prepare`: tables and streams for services that may not make them."""

import asyncio
import shutil
from pathlib import Path

import msgspec
import psycopg
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from libs.runtime import bus
from libs.runtime.settings import Settings, environment
from libs.runtime.streams import ensure_streams
from services.cli.__main__ import main
from services.scheduler import lease
from services.solver import lists, matrix


async def test_it_makes_everything_once_and_services_without_rights_find_it(settings: Settings, tmp_path: Path) -> None:
    variables = environment(replace(settings, solver_folder=str(tmp_path)))
    first, second = [
        await asyncio.to_thread(CliRunner().invoke, main, ["prepare", "--json"], env=variables) for _ in range(2)
    ]
    assert "services.solver.tables/0001_queue.sql" in msgspec.json.decode(first.stdout)["tables"]
    kernel = "c" if shutil.which("cc") else "numpy"
    assert msgspec.json.decode(second.stdout) == {"tables": [], "waiting": [], "kernel": kernel}
    assert matrix.file_of(tmp_path, lists.newest()).exists()
    connection = await bus.connect(settings, "test")
    await ensure_streams(connection, 1, create=False)
    assert await lease.bucket(connection, replace(settings, create_streams=False))
    await connection.close()


@pytest.mark.parametrize("wrong", [{"WORDYARD_POSTGRES_URL": "postgresql://127.0.0.1:1/x"}, {"WORDYARD_PORT": "many"}])
def test_it_says_what_is_wrong(settings: Settings, wrong: dict[str, str]) -> None:
    done = CliRunner().invoke(main, ["prepare"], env={**environment(settings), **wrong})
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")


async def test_the_doctor_says_whether_the_tables_suit_this_release(settings: Settings, tmp_path: Path) -> None:
    variables = environment(replace(settings, solver_folder=str(tmp_path)))
    variables = {**variables, "WORDYARD_POSTGRES_URL": settings.postgres_url}

    async def doctor() -> tuple[str, str]:
        done = await asyncio.to_thread(CliRunner().invoke, main, ["doctor", "--json"], env=variables)
        found = {finding["name"]: finding for finding in msgspec.json.decode(done.stdout)}["tables"]
        return found["state"], found["mend"]

    await asyncio.to_thread(CliRunner().invoke, main, ["prepare"], env=variables)
    assert await doctor() == ("ok", "")
    with psycopg.connect(settings.postgres_url, autocommit=True) as connection:
        connection.execute("insert into migrations (name) values ('services.api.tables/0099_next.sql')")
        assert await doctor() == ("ok", "")
        connection.execute("delete from migrations where name = 'services.api.tables/0014_told.sql'")
        assert await doctor() == ("missing", "wordyard prepare")
        connection.execute("update migrations set needs = '99.0.0' where name = 'services.api.tables/0099_next.sql'")
        assert (await doctor())[0] == "missing"

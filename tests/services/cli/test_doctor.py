"""`wordyard doctor`: what is there, what is missing, and how to mend it."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from libs.runtime import bus
from libs.runtime.embedded import NatsServer
from libs.runtime.settings import Settings
from libs.runtime.streams import wanted
from services.cli import doctor
from services.cli.__main__ import COMMANDS, main
from services.solver import lists, matrix
from services.solver.build_kernel import library


def test_on_a_machine_that_was_set_up_nothing_is_missing() -> None:
    done = CliRunner().invoke(main, ["doctor", "--json"])
    findings = msgspec.json.decode(done.stdout, type=list[doctor.Finding])
    assert {finding.name: finding.state for finding in findings if finding.state == "missing"} == {}
    assert done.exit_code == 0


def test_what_is_missing_is_named_with_its_cure_and_the_exit_code_is_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "BINARY", Path("/nowhere/nats-server"))
    done = CliRunner().invoke(main, ["doctor", "--json"])
    findings = msgspec.json.decode(done.stdout, type=list[doctor.Finding])
    (found,) = [finding for finding in findings if finding.state == "missing"]
    assert (found.name, found.mend) == ("nats-server", "make setup")
    assert done.exit_code == 1


def test_damage_to_what_the_solver_works_with_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDYARD_SOLVER_FOLDER", str(tmp_path))
    library(tmp_path).write_bytes(b"no library")
    matrix.file_of(tmp_path, lists.newest()).write_bytes(b"no matrix")
    done = CliRunner().invoke(main, ["doctor", "--json"])
    findings = {found.name: found for found in msgspec.json.decode(done.stdout, type=list[doctor.Finding])}
    kernel, found = findings["solver's kernel"], findings["solver's matrix"]
    assert (kernel.state, kernel.detail) == ("without", "numpy: slower, for the compiled one is damaged")
    assert (found.state, found.detail) == ("without", "damaged (no header): the next solver builds it again")
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("days", "state", "detail"),
    [
        ("7", "ok", "games leave the log 7 days after their end"),
        ("0", "without", "games stay in the log: each costs memory of NATS"),
        ("-1", "missing", "a WORDYARD_* variable is wrong: WORDYARD_ARCHIVE_AFTER: days, or 0 for never"),
    ],
)
def test_the_days_after_which_games_are_archived_are_told(
    days: str, state: str, detail: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORDYARD_ARCHIVE_AFTER", days)
    found = doctor._archive()
    assert (found.state, found.detail) == (state, detail)


async def test_a_log_that_was_made_to_keep_everything_is_told(tmp_path: Path) -> None:
    server = NatsServer(tmp_path / "nats", sync="lazy")
    server.start()
    client = await bus.connect(Settings(nats_url=server.url), "test")
    try:
        assert not doctor.keeps_all(tmp_path)
        for denied in (True, False):
            config = msgspec.json.encode({**wanted(1)[0], "deny_purge": denied})
            await client.request("$JS.API.STREAM.CREATE.GAMES", config)
            assert doctor.keeps_all(tmp_path) == denied
            await client.request("$JS.API.STREAM.DELETE.GAMES")
    finally:
        await client.close()
        server.kill()


def test_a_package_that_differs_from_the_lock_is_named() -> None:
    lock = "click==0.0.1 \\\n    --hash=sha256:00\nnone-such==1 ; sys_platform == 'win32' \\\nno-such==2\n"
    first, second = doctor._differing(lock)
    assert first.startswith("click ")
    assert first.endswith(" instead of 0.0.1")
    assert second == "no-such is not installed"


def test_the_help_names_every_command() -> None:
    said = CliRunner().invoke(main, ["--help"]).stdout
    assert all(name in said for name in COMMANDS)

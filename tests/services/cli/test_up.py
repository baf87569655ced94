"""`wordyard up`: one command, one address, nothing left behind."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests import servers
from tests.services.cli.ups import COMMAND, Up, up
from tests.until import until

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with servers.folder() as path:
        yield path / "data"


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Up]:
    with up("--data", str(folder)) as started:
        yield started


def ready(service: Up) -> bool:
    return httpx.get(f"{service.address}/health/ready", trust_env=False).is_success


def refused(*options: str) -> str:
    done = subprocess.run([*COMMAND, "up", *options], capture_output=True, text=True, timeout=60)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    return done.stderr


def test_it_answers_at_its_address(running: Up) -> None:
    assert ready(running)
    assert httpx.get(running.address, trust_env=False).status_code == 200


def test_what_no_player_waits_for_gives_way_to_the_rest(running: Up) -> None:
    nice = {process.cmdline()[-1]: process.nice() for process in running.services() if "-m" in process.cmdline()}
    ours = os.nice(0)
    assert {nice["services.scheduler"], nice["services.solver"]} == {min(ours + 5, 19)}
    assert {nice["services.api"], nice["services.game"]} == {ours}


def test_another_on_the_same_folder_says_who_uses_it(running: Up) -> None:
    said = refused("--data", str(running.folder), "--port", "0")
    assert f"in use by process {running.process.pid} (Wordyard at {running.address})" in said


async def test_a_killed_service_is_started_again(running: Up) -> None:
    (game,) = [process for process in running.services() if "services.game" in process.cmdline()]
    game.kill()
    await until(lambda: _others(running, game.pid), 30)


def _others(running: Up, pid: int) -> bool:
    return any("services.game" in process.cmdline() and process.pid != pid for process in running.services())


def test_it_ends_cleanly_and_finds_everything_again(running: Up, folder: Path) -> None:
    with httpx.Client(trust_env=False) as browser:
        assert browser.post(f"{running.address}/api/v1/session/guest").is_success
        me = browser.get(f"{running.address}/api/v1/me").json()
        assert running.end(signal.SIGINT) == 0
        assert running.everything() == []
        with up("--data", str(folder)) as again:
            assert browser.get(f"{again.address}/api/v1/me").json() == me
            assert again.end(signal.SIGTERM) == 0


async def test_killed_by_force_it_leaves_nothing_running_and_can_start_again(folder: Path) -> None:
    with up("--data", str(folder)) as started:
        started.process.kill()
        started.process.wait()
        with up("--data", str(folder)) as again:
            assert ready(again)
            assert again.end() == 0
        await until(lambda: started.everything() == [], 30)


def test_an_ephemeral_one_takes_its_folder_with_it_and_its_clock_may_start_anywhere() -> None:
    with up("--ephemeral", "--now", "2031-03-08T23:59:00-05:00", "--solvers", "2") as started:
        assert started.folder.exists()
        assert len([one for one in started.services() if "services.solver.serve" in one.cmdline()]) == 2
        assert ready(started)
        assert started.end() == 0
        assert not started.folder.exists()


def test_a_port_in_use_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("--data", str(folder), "--port", str(port))
    assert f"Port {port} cannot be used" in said
    assert "--port" in said


@pytest.mark.parametrize("instant", ["tomorrow", "2031-03-08T23:59:00"])
def test_an_instant_without_a_meaning_is_refused(instant: str) -> None:
    assert "--now" in refused("--ephemeral", "--now", instant)


def test_ephemeral_data_cannot_be_kept() -> None:
    assert "--data" in refused("--ephemeral", "--data", "somewhere")


def test_a_wrong_setting_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDYARD_TRACE_SHARE", "2")
    assert "WORDYARD_TRACE_SHARE" in refused("--data", str(folder))

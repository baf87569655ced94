"""`wordyard load` against real services: what it measures, what it verifies, and how it names what is wrong."""

import asyncio
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.cli.load.ledger import Book, Entry, Ledger, Seen, Taken
from services.cli.load.play import play
from services.cli.load.verify import Report, verify
from services.cli.reach import reach, the_log
from tests.services.cli.ups import COMMAND, Up, up
from tests.until import until

pytestmark = pytest.mark.timeout(240)

QUICK = ("--users", "8", "--spawn-rate", "8", "--think", "0.05", "--accounts", "0.5")
PROJECTIONS = ["games", "results", "daily", "moderation"]


def load(*words: str) -> tuple[int, Any]:
    """Exit code and answer of `wordyard load`."""
    done = subprocess.run([*COMMAND, "load", *words, "--json"], capture_output=True, text=True, timeout=200)
    assert done.stdout, done.stderr
    return done.returncode, msgspec.json.decode(done.stdout)


@pytest.fixture(scope="module")
def running() -> Iterator[Up]:
    with up("--ephemeral", WORDYARD_RATE_LIMIT="false") as started:
        yield started


@pytest.fixture(scope="module")
def settings(running: Up) -> Iterator[Settings]:
    with reach(running.folder) as found:
        yield found


@pytest.fixture
async def the_running_log(settings: Settings) -> AsyncIterator[Log]:
    async with the_log(settings, "test") as log:
        yield log


@pytest.fixture(scope="module")
def ledger(running: Up, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of a light load which has ended."""
    file = tmp_path_factory.mktemp("load") / "ledger"

    async def played() -> None:
        with Ledger(file) as out:
            async with play(running.address, 4, out, accounts=0.5) as loaded:
                await loaded.more(40, within=60)
                async with loaded.quiet(within=30), the_log(settings, "test") as log:
                    report = await verify(file, log, settings.postgres_url)
                    assert report.problems == []
                    assert report.acknowledged >= 40
                await loaded.more(10, within=30)
            assert loaded.recovery.down == 0

    asyncio.run(played())
    return file


def entries(file: Path) -> list[Entry]:
    return [entry for _, some in Book(file).pages() for entry in some]


async def verified(told: list[Entry], file: Path, log: Log, settings: Settings) -> Report:
    with Ledger(file) as out:
        for entry in told:
            out.write(entry)
    return await verify(file, log, settings.postgres_url)


def test_a_load_of_its_own_service_measures_and_verifies(tmp_path: Path) -> None:
    report, ledger = tmp_path / "report.html", tmp_path / "ledger"
    code, found = load(*QUICK, "--seconds", "8", "--report", str(report), "--ledger", str(ledger))
    assert (code, found["failed"], found["verified"]["problems"], found["verified"]["unchecked"]) == (0, [], [], [])
    assert found["verified"]["projections"] == PROJECTIONS
    assert found["measured"]["guesses"] > 20
    assert found["verified"]["audits"] > 0
    lines = {line["name"]: line for line in found["measured"]["lines"]}
    assert {"POST /games/{}/guesses", "POST /daily/guesses", "POST /solver", "WS /games/{}/live"} <= set(lines)
    assert all(line["p50"] <= line["p95"] <= line["p99"] <= line["p999"] for line in lines.values())
    assert Book(ledger).counts["taken"] == found["verified"]["acknowledged"]
    page = report.read_text()
    assert "All is right." in page
    assert "response_time_percentile_0.99" in page  # what the plots are drawn of
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []


def test_a_service_elsewhere_is_verified_by_what_it_tells(running: Up) -> None:
    code, found = load(*QUICK, "--seconds", "5", "--address", running.address)
    assert (code, found["verified"]["problems"], found["verified"]["projections"]) == (0, [], [])
    assert "no projection was compared" in " ".join(found["verified"]["unchecked"])


def test_a_load_that_takes_no_guess_has_failed(running: Up) -> None:
    code, found = load(*QUICK, "--seconds", "2", "--address", running.address, "--mix", "practice")
    assert (code, found["failed"]) == (1, ["no guess was taken"])


def test_a_service_that_does_not_answer_is_an_error_for_each_request() -> None:
    code, found = load(*QUICK, "--seconds", "2", "--address", "http://127.0.0.1:1")
    assert code == 1
    assert found["errors"] == 1
    assert found["verified"]["refusals"].keys() == {"ConnectionRefusedError"}


def test_the_page_shows_a_load_until_ctrl_c_and_then_it_is_verified(running: Up) -> None:
    options = (*QUICK, "--address", running.address, "--data", str(running.folder), "--page", "--json")
    with subprocess.Popen(
        [*COMMAND, "load", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        page = next(line for line in process.stderr if "page is" in line).split()[-1]
        asyncio.run(until(lambda: guesses_on(page), 60))
        process.send_signal(signal.SIGINT)
        found = msgspec.json.decode(process.stdout.read())
    assert (process.returncode, found["failed"], found["verified"]["problems"]) == (0, [], [])
    assert found["verified"]["projections"] == PROJECTIONS


def guesses_on(page: str) -> int:
    """How many guesses Locust's page tells of; none as long as it does not answer."""
    try:
        stats = httpx.get(f"{page}/stats/requests", trust_env=False).json()["stats"]
    except httpx.TransportError:
        return 0
    return sum(one["num_requests"] for one in stats if one["name"].endswith("/guesses"))


async def test_an_acknowledged_guess_that_was_lost_is_named(
    ledger: Path, the_running_log: Log, settings: Settings, tmp_path: Path
) -> None:
    told = entries(ledger)
    guess = next(entry for entry in told if isinstance(entry, Taken) and entry.word)
    report = await verified([*told, replace(guess, key="lost")], tmp_path / "lost", the_running_log, settings)
    assert report.problems == [
        f"{guess.game}: {guess.word} by {guess.by} (key lost) was acknowledged as version {guess.version}, "
        "and is not in the log"
    ]


async def test_wrong_marks_a_wrong_view_and_a_version_that_came_twice_are_named(
    ledger: Path, the_running_log: Log, settings: Settings, tmp_path: Path
) -> None:
    told = entries(ledger)
    guess = next(entry for entry in told if isinstance(entry, Taken) and entry.word)
    seen = next(entry for entry in told if isinstance(entry, Seen) and entry.following)
    view = Raw(msgspec.json.encode(msgspec.json.decode(seen.view) | {"state": "void"}))
    lies = [replace(guess, marks="CCCCC"), replace(seen, view=view)]
    report = await verified([*told, *lies], tmp_path / "lies", the_running_log, settings)
    said = "\n".join(report.problems)
    assert "was acknowledged with the marks CCCCC, and the log has" in said
    assert 'state is "void", and must be ' in said
    assert f"a socket of {seen.by} was sent version {seen.version} after version" in said


def test_the_verifier_runs_alone(ledger: Path, running: Up, tmp_path: Path) -> None:
    code, found = load("verify", str(ledger), "--data", str(running.folder))
    assert (code, found["problems"], found["projections"]) == (0, [], PROJECTIONS)
    told = entries(ledger)
    guess = next(entry for entry in told if isinstance(entry, Taken) and entry.word)
    wrong = tmp_path / "wrong"
    with Ledger(wrong) as out:
        for entry in (*told, replace(guess, key="lost")):
            out.write(entry)
    code, found = load("verify", str(wrong), "--data", str(running.folder))
    assert code == 1
    assert "(key lost) was acknowledged" in found["problems"][0]

"""`wordyard doctor`: what this machine has of what Wordyard needs, and how to mend what is missing."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from libs.core import subjects
from libs.runtime.bus import OLDEST_SERVER
from libs.runtime.clock import clock
from libs.runtime.embedded.nats_server import BINARY
from libs.runtime.embedded.postgres_server import binaries
from libs.runtime.settings import PREFIX, BadSetting, read
from services.cli import servers
from services.cli.findings import Finding
from services.cli.folder import DEFAULT
from services.solver import place
from services.solver.build_kernel import is_whole, library

ROOT = Path(__file__).parents[2]
OLDEST_POSTGRES = 15
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def doctor(as_json: bool) -> None:
    """Check that this machine has what Wordyard needs. Exits with 1 if it lacks something that it cannot do without."""
    findings = [*(check() for check in CHECKS), *servers.findings()]
    if as_json:
        click.echo(msgspec.json.encode(findings))
    else:
        _show(findings)
    sys.exit(any(finding.state == "missing" for finding in findings))


def _show(findings: Iterable[Finding]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("check", "", "found", "to mend it"):
        table.add_column(heading)
    colours = {"ok": "green", "missing": "red", "without": "yellow"}
    for finding in findings:
        state = f"[{colours[finding.state]}]{finding.state}[/]"
        table.add_row(finding.name, state, finding.detail, finding.mend)
    Console().print(table)


def _python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    right = sys.version_info >= (3, 11)
    return Finding(name="Python", state="ok" if right else "missing", detail=found, mend="" if right else "use 3.11+")


def _nats() -> Finding:
    return _program("nats-server", BINARY, OLDEST_SERVER)


def _postgres() -> Finding:
    return _program("PostgreSQL", binaries() / "postgres", (OLDEST_POSTGRES,))


def _program(name: str, binary: Path, oldest: tuple[int, ...]) -> Finding:
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return Finding(name=name, state="missing", detail=f"no {binary}", mend="make setup")
    number = re.search(r"\d+(\.\d+)*", said)
    found = tuple(map(int, number[0].split("."))) if number else (0,)
    right = found >= oldest
    detail = ".".join(map(str, found))
    return Finding(name=name, state="ok" if right else "missing", detail=detail, mend="" if right else "make setup")


def _lock() -> Finding:
    lock = ROOT / "requirements.lock"
    if not lock.exists():
        return Finding(name="packages", state="without", detail="no requirements.lock beside this installation")
    wrong = list(_differing(lock.read_text()))
    if wrong:
        return Finding(name="packages", state="missing", detail=", ".join(wrong[:5]), mend="make setup")
    return Finding(name="packages", state="ok", detail="as in requirements.lock")


def _differing(lock: str) -> Iterable[str]:
    wanted: dict[str, set[str]] = {}
    for name, pinned in re.findall(r"^([\w.-]+)==([^\s;\\]+)", lock, re.MULTILINE):
        wanted.setdefault(name, set()).add(pinned)  # more than one: each for machines of its own
    conditional = set(re.findall(r"^([\w.-]+)==\S+ ;", lock, re.MULTILINE))
    for name, pins in wanted.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            if name not in conditional:  # else it may not be meant for this machine
                yield f"{name} is not installed"
            continue
        if found not in pins:
            yield f"{name} {found} instead of {' or '.join(sorted(pins))}"


def _client() -> Finding:
    if (ROOT / "services/api/web/node_modules/lit-html").is_dir():
        return Finding(name="browser client", state="ok", detail="its library is installed")
    return Finding(name="browser client", state="missing", detail="no lit-html", mend="make setup")


def _chromium() -> Finding:
    if found := next(filter(None, map(shutil.which, CHROMIUMS)), None):
        return Finding(name="Chromium", state="ok", detail=found)
    mend = "apt-get install chromium (for the browser tests alone)"
    return Finding(name="Chromium", state="without", detail="not found", mend=mend)


def _kernel() -> Finding:
    file = library(place.folder(os.environ.get(f"{PREFIX}SOLVER_FOLDER", "")))
    if is_whole(file):
        return Finding(name="solver's kernel", state="ok", detail="C")
    if file.exists():
        detail = "numpy: slower, for the compiled one is damaged"
        return Finding(name="solver's kernel", state="without", detail=detail, mend="make setup")
    return Finding(
        name="solver's kernel", state="without", detail="numpy: slower", mend="install a C compiler, make setup"
    )


def _matrix() -> Finding:
    from services.solver import letters, matrix  # arrays, which the other checks do without

    words = letters.newest()
    file = matrix.home(place.folder(os.environ.get(f"{PREFIX}SOLVER_FOLDER", "")), words)
    try:
        matrix.read(file, words)
        return Finding(name="solver's matrix", state="ok", detail=str(file))
    except FileNotFoundError:
        detail = "not built: the first solver does it"
    except (matrix.BadMatrix, OSError) as error:
        detail = f"damaged ({error}): the next solver builds it again"
    return Finding(name="solver's matrix", state="without", detail=detail, mend="wordyard matrix build")


def _archive() -> Finding:
    try:
        days = read().archive_after
    except BadSetting as error:
        return Finding(name="archive", state="missing", detail=str(error), mend=f"set {PREFIX}ARCHIVE_AFTER")
    if not days:
        detail, mend = "games stay in the log: each costs memory of NATS", f"set {PREFIX}ARCHIVE_AFTER to days"
        return Finding(name="archive", state="without", detail=detail, mend=mend)
    if keeps_all(DEFAULT):
        detail, mend = f"the log in {DEFAULT} was made to keep everything", "wordyard backup, wordyard restore"
        return Finding(name="archive", state="without", detail=detail, mend=mend)
    return Finding(name="archive", state="ok", detail=f"games leave the log {days} days after their end")


def keeps_all(folder: Path) -> bool:
    """Was the log in this data folder made before there was an archive, so that nothing can leave it?"""
    try:
        stream = folder / "nats" / "jetstream" / "$G" / "streams" / subjects.GAMES / "meta.inf"
        return bool(msgspec.json.decode(stream.read_bytes()).get("deny_purge", False))
    except (OSError, msgspec.DecodeError):
        return False


def _clock() -> Finding:
    now = clock()()
    newest = max(file.stat().st_mtime for file in (ROOT / "libs/runtime").glob("*.py"))
    written = datetime.fromtimestamp(newest, UTC)
    right = now > written - timedelta(minutes=1)
    return Finding(
        name="clock",
        state="ok" if right else "missing",
        detail=f"{now:%Y-%m-%d %H:%M:%S} UTC" if right else f"{now:%Y-%m-%d %H:%M} UTC is before this very program",
        mend="" if right else "set the clock, and keep it right with NTP",
    )


def _port() -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", 8080))
        except OSError as error:
            detail = f"8080: {os.strerror(error.errno or 0)}"
            return Finding(name="port", state="without", detail=detail, mend="wordyard up --port 0")
    return Finding(name="port", state="ok", detail="8080 is free")


CHECKS: tuple[Callable[[], Finding], ...] = (
    _python,
    _nats,
    _postgres,
    _lock,
    _client,
    _chromium,
    _kernel,
    _matrix,
    _archive,
    _clock,
    _port,
)

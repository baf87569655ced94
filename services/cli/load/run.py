"""One load from end to end: a service if none is named, the swarm in a process of its own, and the verification."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from libs.runtime.embedded.ports import free_port
from libs.runtime.settings import PREFIX, Settings
from services.cli.bench.service import started
from services.cli.load.outcome import Outcome, add_to
from services.cli.load.plan import Measured, Plan
from services.cli.load.verify import Report
from services.cli.load.verify import verify as compare
from services.cli.reach import reach, the_log

Say = Callable[[str], None]


class Wish(Struct, frozen=True, kw_only=True):
    """What somebody wants of a load; without an address it starts a service of its own."""

    address: str
    users: int
    spawn_rate: float
    seconds: float
    mix: dict[str, float]
    think: float
    accounts: float
    page: bool
    report: Path | None
    ledger: Path
    data: Path | None  # the folder of the service at this address


class _Place(Struct, frozen=True):
    address: str
    data: Path | None


async def run(wish: Wish, say: Say) -> Outcome:
    """Load, measure and verify. Raises `click.ClickException` where the service or its log cannot be reached."""
    async with _service(wish, say) as place:
        measured = await _swarm(wish, place.address, say)
        say("verifying")
        if place.data is None and PREFIX + "NATS_URL" not in os.environ:
            report = await verify_alone(wish.ledger)
        else:
            with reach(place.data) as settings:
                report = await verify_by_log(wish.ledger, settings)
    found = Outcome(address=place.address, users=wish.users, measured=measured, verified=report)
    if wish.report is not None:
        add_to(wish.report, found)
    return found


async def verify_by_log(ledger: Path, settings: Settings) -> Report:
    """Compare a ledger with the log and the tables at these servers. Raises as `the_log` and `verify` do."""
    async with the_log(settings, "load") as log:
        return await compare(ledger, log, settings.postgres_url)


async def verify_alone(ledger: Path) -> Report:
    """Compare a ledger with itself, and with what the service told of ended games."""
    return await compare(ledger, None)


@asynccontextmanager
async def _service(wish: Wish, say: Say) -> AsyncIterator[_Place]:
    if wish.address:
        yield _Place(wish.address, wish.data)
        return
    say("starting a service")
    async with started("always", apart=True) as service:
        yield _Place(service.address, service.folder)


async def _swarm(wish: Wish, address: str, say: Say) -> Measured:
    measured = wish.ledger.with_suffix(".measured")
    plan = Plan(
        address=address,
        users=wish.users,
        spawn_rate=wish.spawn_rate,
        seconds=wish.seconds,
        mix=wish.mix,
        think=wish.think,
        accounts=wish.accounts,
        ledger=str(wish.ledger.resolve()),
        report=str(wish.report.resolve()) if wish.report else "",
        measured=str(measured.resolve()),
        page=free_port() if wish.page else 0,
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "services.cli.load.swarm", msgspec.json.encode(plan).decode()),
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C comes to us, and we tell it
    )
    how_long = "until Ctrl-C" if wish.page else f"for {wish.seconds:g} s; Ctrl-C ends it sooner"
    say(f"{wish.users:,} players at {address} {how_long}")
    if wish.page:
        say(f"Locust's page is http://127.0.0.1:{plan.page}")
    with _ending(process):
        code = await process.wait()
    if code:
        raise click.ClickException(f"the swarm ended with {code}")
    found = msgspec.json.decode(measured.read_bytes(), type=Measured)
    measured.unlink()
    return found


@contextmanager
def _ending(process: asyncio.subprocess.Process) -> Iterator[None]:
    """Within, Ctrl-C ends the load and not us: what was played is still to be verified."""
    loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in signals:
        loop.add_signal_handler(number, process.terminate)
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
        if process.returncode is None:
            process.kill()

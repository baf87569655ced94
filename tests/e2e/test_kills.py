"""kill -9 of every process in turn under load: nothing that players were told is lost, taken twice or shown wrongly."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import click
import psutil
import psycopg
import pytest

from libs.runtime.embedded import NatsServer, Postgres
from services.cli.load.ledger import Ledger
from services.cli.load.play import play
from services.cli.load.run import verify_by_log
from services.cli.load.verify import Report
from services.cli.reach import reach
from tests.e2e.conftest import Running, up
from tests.until import until

pytestmark = pytest.mark.faults

PLAYERS = 16
VICTIMS = ("services.game", "services.api", "nats-server", "services.scheduler", "postgres", "services.solver")


def victim(service: Running, name: str) -> int | None:
    """The process id of this part of the service, while it runs."""
    match name:
        case "nats-server":
            return NatsServer(service.data / "nats").pid
        case "postgres":
            return Postgres(service.data / "postgres").pid
        case _:
            children = psutil.Process(service.pid).children()
            return next((child.pid for child in children if name in words_of(child)), None)


def words_of(process: psutil.Process) -> list[str]:
    """Its command line; empty for one that is just dying."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def verified(service: Running, ledger: Path) -> Report | None:
    """What the verifier says; none as long as a server that was killed is not back."""
    with suppress(click.ClickException, psycopg.Error), reach(service.data) as settings:
        return await verify_by_log(ledger, settings)
    return None


@pytest.mark.timeout(300)
async def test_nothing_that_players_were_told_is_lost_or_wrong(tmp_path: Path) -> None:
    with up() as service, Ledger(tmp_path / "ledger") as ledger:
        async with play(service.address, PLAYERS, ledger, accounts=0.25) as load:
            await load.more(PLAYERS, within=60)
            for name in VICTIMS * 2:
                os.kill(await until(lambda name=name: victim(service, name), 20), signal.SIGKILL)
                await load.more(4 * PLAYERS, within=60)
        report = await until(lambda: verified(service, ledger.file), 60)
    assert report.problems == []
    assert report.unchecked == []
    assert report.acknowledged >= 4 * PLAYERS * len(VICTIMS)
    assert load.recovery.down > 0  # it was harmed

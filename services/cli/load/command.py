"""`wordyard load`: load a service, print how it did, and verify that nothing was lost, doubled or shown wrongly."""

import asyncio
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import click
import msgspec

from services.cli.load import mix as mixes
from services.cli.load import outcome
from services.cli.load.mix import Mix
from services.cli.load.outcome import Outcome
from services.cli.load.run import Wish, run, verify_alone, verify_by_log
from services.cli.load.verify import Report
from services.cli.reach import DATA, reach


class _Mix(click.ParamType[Mix]):
    name = "mix"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Mix:
        if isinstance(value, dict):
            return value
        try:
            return mixes.read(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.group(invoke_without_command=True)
@click.option("--address", help="Where the service answers; without it one is started for the load alone.")
@click.option("--users", type=click.IntRange(1, 100_000), default=50, show_default=True, help="Players at once.")
@click.option("--spawn-rate", type=click.FloatRange(0.01, 1000), default=10.0, show_default=True, help="A second.")
@click.option("--seconds", type=click.FloatRange(1, 86_400), default=60.0, show_default=True, help="The ramp included.")
@click.option("--mix", type=_Mix(), default=mixes.write(mixes.USUAL), show_default=True, help="What is done how often.")
@click.option("--think", type=click.FloatRange(0, 3600), default=1.0, show_default=True, help="Seconds before a move.")
@click.option("--accounts", type=click.FloatRange(0, 1), default=0.3, show_default=True, help="Share who sign in.")
@click.option("--page", is_flag=True, help="Show Locust's page, and go on until Ctrl-C.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Save an HTML page with plots here.")
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path), help="Keep the ledger in this new file.")
@click.option("--max-errors", type=click.FloatRange(0, 1), default=0.01, show_default=True, help="Share of requests.")
@DATA
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@click.pass_context
def load(
    context: click.Context,
    address: str | None,
    users: int,
    spawn_rate: float,
    seconds: float,
    mix: Mix,
    think: float,
    accounts: float,
    page: bool,
    report: Path | None,
    ledger: Path | None,
    max_errors: float,
    data: Path | None,
    as_json: bool,
) -> None:
    """Load a service with players; then compare what they were told with the log and the tables.

    Exits with 1 if anything differs, or too many requests failed.
    """
    if context.invoked_subcommand is not None:
        return
    if ledger is not None and ledger.exists():
        raise click.UsageError(f"{ledger} is there already")
    if data is not None and address is None:
        raise click.UsageError("--data is the folder of the service at --address")
    folder = Path(tempfile.mkdtemp(prefix="wy-load-"))
    wish = Wish(
        address=(address or "").rstrip("/"),
        users=users,
        spawn_rate=spawn_rate,
        seconds=seconds,
        mix=dict(mix),
        think=think,
        accounts=accounts,
        page=page,
        report=report,
        ledger=ledger or folder / "ledger.jsonl",
        data=data,
    )
    kept = ledger is not None
    try:
        found = asyncio.run(run(wish, partial(click.echo, err=True)))
        kept = kept or bool(found.verified.problems)
        failed = found.failed(max_errors)
        _tell(found, as_json, failed, wish.ledger if kept else None)
        sys.exit(bool(failed))
    finally:
        if not kept or ledger is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _tell(found: Outcome, as_json: bool, failed: list[str], ledger: Path | None) -> None:
    if as_json:
        facts = {
            **msgspec.to_builtins(found),
            "errors": round(found.errors, 6),
            "failed": failed,
            "ledger": str(ledger) if ledger else None,
        }
        click.echo(msgspec.json.encode(facts))
        return
    outcome.show(found)
    if ledger:
        click.echo(f"The ledger is {ledger}")
    for why in failed:
        click.echo(f"Failed: {why}")


@load.command("verify")
@click.argument("ledger", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--alone", is_flag=True, help="Without the log: only what the service itself has said.")
@DATA
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def verify(ledger: Path, alone: bool, data: Path | None, as_json: bool) -> None:
    """Compare a LEDGER with the log and the tables, whether the service runs or not; nobody may be playing.

    Exits with 1 if anything differs, and names it.
    """
    try:
        if alone:
            report = asyncio.run(verify_alone(ledger))
        else:
            with reach(data) as settings:
                report = asyncio.run(verify_by_log(ledger, settings))
    except msgspec.DecodeError as error:
        raise click.ClickException(f"{ledger} is no ledger: {error}") from None
    _say(report, as_json)
    sys.exit(bool(report.problems))


def _say(report: Report, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(report))
    else:
        for line in outcome.of_report(report):
            click.echo(line)

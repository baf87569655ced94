"""`wordyard replay`: folds the log into the tables anew, or compares the tables with a fresh fold."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from libs.core.history import Newer
from libs.runtime import loops
from libs.runtime.settings import Settings
from services.cli.reach import DATA, reach, the_log
from services.game import rebuild
from services.game.projections import PROJECTIONS
from services.game.rebuild import Busy, Difference


class Outcome(Struct, kw_only=True):
    """What became of one projection."""

    projection: str
    records: int
    seconds: float
    differences: Sequence[Difference] = ()


@click.command()
@click.option("--projection", type=click.Choice(list(PROJECTIONS)), help="Only this one.")
@click.option("--check", is_flag=True, help="Change nothing: compare every row with a fresh fold.")
@DATA
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def replay(projection: str | None, check: bool, data: Path | None, as_json: bool) -> None:
    """Fold the log into the tables anew, while the service runs. With --check exits with 1 if a row differs."""
    with reach(data) as settings, _progress() as progress:
        outcomes = loops.run(_replay(settings, [projection] if projection else list(PROJECTIONS), check, progress))
    if as_json:
        click.echo(msgspec.json.encode(outcomes))
    else:
        for outcome in outcomes:
            _show(outcome, check)
    differs = any(outcome.differences for outcome in outcomes)
    if check and not differs and not as_json:
        click.echo("Nothing differs.")
    sys.exit(differs)


async def _replay(settings: Settings, names: Sequence[str], check: bool, progress: Progress) -> list[Outcome]:
    outcomes = []
    async with the_log(settings, "replay") as log:
        for name in names:
            bar = progress.add_task(name, total=None)

            def told(done: int, end: int, bar: int = bar) -> None:
                progress.update(bar, completed=done, total=end)  # type: ignore[arg-type]

            began, differences, projection = time.monotonic(), list[Difference](), PROJECTIONS[name]
            try:
                if check:
                    differences = await rebuild.check(settings.postgres_url, log, projection, told)
                else:
                    await rebuild.rebuild(settings.postgres_url, log, projection, told)
            except Busy:
                raise click.ClickException(f"{name} is being replayed by somebody else") from None
            except Newer as error:
                raise click.ClickException(f"A record of the log is {error}: replay it with that.") from None
            outcomes.append(
                Outcome(
                    projection=name,
                    records=int(progress.tasks[-1].completed),
                    seconds=round(time.monotonic() - began, 3),
                    differences=differences,
                )
            )
    return outcomes


@contextmanager
def _progress() -> Iterator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        yield progress


def _show(outcome: Outcome, check: bool) -> None:
    rate = outcome.records / outcome.seconds if outcome.seconds else 0
    done = "compared with" if check else "folded from"
    click.echo(f"{outcome.projection}: {done} {outcome.records:,} records in {outcome.seconds:.1f} s ({rate:,.0f}/s)")
    for difference in outcome.differences:
        click.echo(f"  {difference.table}: {_text(difference.live)} must be {_text(difference.fresh)}")


def _text(row: dict[str, object] | None) -> str:
    return "no row" if row is None else msgspec.json.encode(row).decode()

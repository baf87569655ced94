"""`wordyard faults`: harm a cluster under load in every way there is, and verify after each that nothing came of it."""

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Column, Table

from libs.runtime import ids
from libs.runtime.embedded import StartFailed
from services.cli.cluster import Cluster
from services.cli.faults.catalog import CATALOG
from services.cli.faults.driver import SETTINGS, Outcome, Suite
from services.cli.faults.fault import Fault, by_chance

SHOWN = 20
"""Problems of one fault that are shown; the answer in JSON has all."""

FIGURES = ("lasted s", "no guess for s", "longest wait s", "guesses", "views", "found")


@click.command()
@click.option("--seed", type=int, help="Of all that is left to chance; printed, so that it can be had again.")
@click.option("--only", multiple=True, metavar="NAME", help="Only faults of this name or pattern, as in 'kill-*'.")
@click.option("--rounds", type=click.IntRange(0), default=10, show_default=True, help="Faults by chance at the end.")
@click.option("--seconds", type=click.FloatRange(0, 600), default=4.0, show_default=True, help="How long each lasts.")
@click.option("--players", type=click.IntRange(2, 1000), default=8, show_default=True, help="Who play meanwhile.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@click.option("--list", "as_list", is_flag=True, help="Only say which faults there are.")
def faults(
    seed: int | None, only: Sequence[str], rounds: int, seconds: float, players: int, as_json: bool, as_list: bool
) -> None:
    """Harm a whole cluster under load; after each fault compare what players were told with the log and the tables.

    Exits with 1 if anything differs, or if guesses do not flow again.
    """
    chosen = [fault for name, fault in CATALOG.items() if not only or any(fnmatch(name, one) for one in only)]
    if not chosen:
        raise click.UsageError("there is no such fault; --list names them")
    if as_list:
        _list(chosen)
        return
    seed = ids.number() if seed is None else seed
    folder = Path(tempfile.mkdtemp(prefix="wy-faults-"))
    click.echo(f"Seed {seed}", err=True)
    outcomes = asyncio.run(_run(chosen, rounds, seed, seconds, players, folder))
    found = any(outcome.problems for outcome in outcomes)
    if as_json:
        click.echo(msgspec.json.encode({"seed": seed, "outcomes": outcomes, "ledgers": str(folder) if found else None}))
    else:
        _show(outcomes)
    if found:
        click.echo(f"The ledgers are in {folder}", err=True)
    else:
        shutil.rmtree(folder)
    sys.exit(found)


async def _run(
    chosen: Sequence[Fault], rounds: int, seed: int, seconds: float, players: int, folder: Path
) -> list[Outcome]:
    chance, outcomes = ids.chances(seed), []
    cluster = Cluster(settings=SETTINGS)
    try:
        await asyncio.to_thread(cluster.open, lambda what: click.echo(what, err=True))
        suite = Suite(cluster, folder, players=players, seconds=seconds, chance=chance)
        async for outcome in suite.each([*chosen, *by_chance(chosen, rounds, chance)]):
            outcomes.append(outcome)
            _tell(outcome)
        outcomes.append(await suite.once_more())
    except StartFailed as error:
        raise click.ClickException(str(error)) from None
    finally:
        await asyncio.to_thread(cluster.close, orderly=False)
    return outcomes


def _tell(outcome: Outcome) -> None:
    refusals = ", ".join(f"{code} {count:,}" for code, count in sorted(outcome.verified.refusals.items()))
    click.echo(
        f"{outcome.fault}: {outcome.guesses:,} guesses, none for {outcome.recovery:.1f} s at most; "
        f"refusals: {refusals or 'none'}; found: {len(outcome.problems) or 'nothing'}",
        err=True,
    )
    for problem in outcome.problems[:SHOWN]:
        click.echo(f"  {problem}", err=True)


def _show(outcomes: Sequence[Outcome]) -> None:
    table = Table(_names(o.fault for o in outcomes), *FIGURES, box=None)
    for outcome in outcomes:
        table.add_row(
            outcome.fault,
            f"{outcome.seconds:.1f}",
            f"{outcome.recovery:.2f}",
            f"{outcome.longest_wait:.2f}",
            f"{outcome.guesses:,}",
            f"{outcome.verified.views:,}",
            str(len(outcome.problems) or "nothing"),
        )
    Console(markup=False, highlight=False).print(table)


def _names(names: Iterable[str]) -> Column:
    return Column("fault", min_width=max(map(len, names), default=0), no_wrap=True)


def _list(chosen: Sequence[Fault]) -> None:
    table = Table(_names(fault.name for fault in chosen), "what is done", "what is expected", box=None)
    for fault in chosen:
        table.add_row(fault.name, fault.does, fault.expected)
    Console(markup=False, highlight=False).print(table)

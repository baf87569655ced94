"""`wordyard bench`: the service against what its parts cost bare, in one run on one machine.

Every figure is measured on a service of its own with everything on but the rate limits: projections, timers, logs.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Literal

import click
import msgspec
import uvloop
from rich.console import Console
from rich.progress import Progress, TaskID, TextColumn, TimeElapsedColumn

from services.cli.bench import figures
from services.cli.bench.figures import Figure
from services.cli.bench.service import Service, started


@click.group(invoke_without_command=True)
@click.option("--seconds", type=click.FloatRange(1, 600), default=10.0, show_default=True, help="For each load.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
@click.pass_context
def bench(context: click.Context, seconds: float, as_json: bool) -> None:
    """Measure throughput, latency, folds and memory, and print them beside their goals."""
    if context.invoked_subcommand is None:
        _answer(uvloop.run(_duel(seconds, quiet=as_json)), as_json=as_json)


@bench.command("solver")
@click.option("--seconds", type=click.FloatRange(0.1, 60), default=1.0, show_default=True, help="For each ranking.")
@click.option("--doddle", is_flag=True, help="Also measure Doddle, installed from its package for the time being.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def solver(seconds: float, doddle: bool, as_json: bool) -> None:
    """Measure the solver's kernels, matrix and start against the machine at its best, and boards over HTTP."""
    from services.cli.bench.solver import measure

    found = [*measure(seconds, lambda what: _say(as_json, what), with_doddle=doddle)]
    found += uvloop.run(_boards(3 * seconds, quiet=as_json))
    _answer(found, as_json=as_json)


@bench.command("daily")
@click.option("--seconds", type=click.FloatRange(1, 600), default=10.0, show_default=True, help="For each load.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def daily(seconds: float, as_json: bool) -> None:
    """Measure guesses at the Daily against the bare pipe, both ways of syncing."""
    found = uvloop.run(_daily(seconds, quiet=as_json))
    _answer(found, as_json=as_json)


@bench.command("results")
@click.option("--results", "count", type=click.IntRange(1000), default=1_000_000, show_default=True, help="Of one day.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def results(count: int, as_json: bool) -> None:
    """Measure a day of the Daily with very many results: their fold, the leaderboard, percentiles. Takes minutes."""
    from services.cli.bench.results import measure

    with _folding() as progress:
        found = asyncio.run(measure(count, progress))
    _answer(found, as_json=as_json)


@bench.command("scale")
@click.option("--seconds", type=click.FloatRange(1, 600), default=10.0, show_default=True, help="For each load.")
@click.option("--sockets", type=click.IntRange(1), default=10_000, show_default=True, help="Open at once.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def scale(seconds: float, sockets: int, as_json: bool) -> None:
    """Measure what more copies bring, very many sockets, and how soon each service is ready."""
    found = uvloop.run(_scale(seconds, sockets, quiet=as_json))
    _answer(found, as_json=as_json)


@bench.command("midnight")
@click.option("--games", type=click.IntRange(1), default=100_000, show_default=True, help="Open at midnight.")
@click.option("--sync", type=click.Choice(["always", "lazy"]), default="always", show_default=True)
@click.option("--down", type=click.FloatRange(0, 3600), default=0.0, help="Seconds without a scheduler; 300: to 00:05.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def midnight(games: int, sync: str, down: float, as_json: bool) -> None:
    """Measure a midnight with very many open games, and verify it. Takes a quarter of an hour."""
    from services.cli.bench.midnight import measure

    found = uvloop.run(measure(games, sync, lambda what: _say(as_json, what), down))
    _answer(found, as_json=as_json)


@bench.command("replay")
@click.option("--records", type=click.IntRange(1000), default=1_000_000, show_default=True, help="In the log.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def replay(records: int, as_json: bool) -> None:
    """Measure how fast a long log is audited and folded afresh. Takes a quarter of an hour."""
    from services.cli.bench.replaying import measure

    found = uvloop.run(measure(records, lambda what: _say(as_json, what)))
    _answer(found, as_json=as_json)


@bench.command("archive")
@click.option("--games", "count", type=click.IntRange(1000), default=1_000_000, show_default=True, help="In the log.")
@click.option("--moved", type=click.IntRange(1000), default=20_000, show_default=True, help="How many are archived.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def archive(count: int, moved: int, as_json: bool) -> None:
    """Measure what very many games cost the log before and after they leave its stream. Takes minutes and 10 GB."""
    from services.cli.bench.archiving import measure

    with _moving() as progress:
        found = uvloop.run(measure(count, min(moved, count), progress))
    _answer(found, as_json=as_json)


def _answer(found: Sequence[Figure], *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        figures.show(found)


@contextmanager
def _moving() -> Iterator[Callable[[str, int, int], None]]:
    columns = (TextColumn("{task.description}"), TextColumn("{task.completed:,}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, TaskID] = {}

        def told(what: str, done: int, end: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=end)
            bar.update(tasks[what], completed=done)

        yield told


@contextmanager
def _folding() -> Iterator[Callable[[int], None]]:
    with Progress(
        TextColumn("{task.completed:,} records folded"), TimeElapsedColumn(), console=Console(stderr=True)
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda done: bar.update(task, completed=done)


async def _daily(seconds: float, *, quiet: bool) -> Sequence[Figure]:
    from services.cli.bench.dailies import measure

    found: list[Figure] = []
    syncs: tuple[Literal["always", "lazy"], ...] = ("always", "lazy")
    for sync in syncs:
        _say(quiet, f"guesses at the Daily and the bare pipe, sync {sync}")
        async with started(sync) as service:
            found += await measure(service, seconds, f", sync {sync}")
    return found


async def _scale(seconds: float, sockets: int, *, quiet: bool) -> Sequence[Figure]:
    from services.cli.bench.copies import scaling, starts
    from services.cli.bench.sockets import crowd

    async with started("lazy") as service:
        _say(quiet, "how soon one more copy of each service is ready")
        found = [*await starts(service)]
        _say(quiet, "guesses with 1, 2 and 4 copies of api and game")
        found += await scaling(service, seconds)
    async with started("always") as service:
        _say(quiet, f"{sockets:,} sockets, each told something every ten seconds")
        seen = await crowd(service, sockets, max(seconds, 10))
    return [
        *found,
        figures.at_most(f"everything with {sockets:,} sockets", seen.after, "MB", 1000),
        figures.plain("  one socket", (seen.after - seen.before) * 1000 / sockets, "kB"),
        figures.plain("  update p50", figures.percentile(seen.updates, 0.5) * 1000, "ms"),
        figures.plain("  update p99", figures.percentile(seen.updates, 0.99) * 1000, "ms"),
    ]


async def _duel(seconds: float, *, quiet: bool) -> Sequence[Figure]:
    from services.cli.bench.latency import half

    found: list[Figure] = []
    syncs: tuple[Literal["always", "lazy"], ...] = ("always", "lazy")
    for sync in syncs:
        _say(quiet, f"guesses through the whole service and through the bare pipe, sync {sync}")
        async with started(sync) as service:
            if sync == "always":
                found += await _at_rest(service)
            most, throughput = await _throughput(service, sync, seconds)
            found += throughput
            if sync == "always":
                _say(quiet, "latency at 200 guesses a second, with every opponent watching")
                found += await _latency(service, seconds)
                _say(quiet, "latency at half of the top rate")
                found += await half(service.address, most / 2, seconds)
                _say(quiet, "folds and audit of the log made so far")
                found += await _folds(service)
                _say(quiet, "2,000 idle sockets")
                found += await _sockets(service)
    return found


async def _boards(seconds: float, *, quiet: bool) -> Sequence[Figure]:
    from services.cli.bench.asks import measure

    _say(quiet, "boards through the whole service")
    async with started("lazy") as service:
        return await measure(service, seconds)


def _say(quiet: bool, what: str) -> None:
    if not quiet:
        click.echo(f"measuring: {what}", err=True)


async def _at_rest(service: Service) -> Sequence[Figure]:
    return [
        figures.at_most("ready after", service.ready_after, "s", 10),
        figures.at_most("memory of everything at rest", service.megabytes(), "MB", 600),
    ]


async def _throughput(service: Service, sync: str, seconds: float) -> tuple[float, Sequence[Figure]]:
    """How many guesses a second it takes at most, and what is to be said of that."""
    from services.cli.bench.throughput import beside, guessing

    whole, pipe = await beside(service, seconds, partial(guessing, service))
    return whole.rate, [
        figures.at_least(f"guesses a second, sync {sync}", whole.rate, "/s", 2000)
        if sync == "always"
        else figures.plain(f"guesses a second, sync {sync}", whole.rate, "/s"),
        figures.plain(f"  p50, p99 under that load, sync {sync}", whole.p50 * 1000, f"ms, {whole.p99 * 1000:.1f} ms"),
        *(
            figures.plain(f"  CPU a guess, {part}, sync {sync}", micros, "us")
            for part, micros in sorted(whole.cpu.items())
            if micros >= 1
        ),
        figures.plain(f"bare pipe, sync {sync}", pipe.rate, "/s"),
        figures.at_least(f"share of the bare pipe, sync {sync}", whole.rate / pipe.rate, "", 0.7),
    ]


async def _latency(service: Service, seconds: float) -> Sequence[Figure]:
    from services.cli.bench.latency import at

    found = await at(service.address, 200, seconds)
    return [
        figures.at_most(f"{name} at 200/s, {label}", figures.percentile(times, share) * 1000, "ms", goal)
        if goal
        else figures.plain(f"{name} at 200/s, {label}", figures.percentile(times, share) * 1000, "ms")
        for name, times, goals in (
            ("guess", found.guesses, {"p50": 10, "p95": 0, "p99": 50, "p99.9": 0}),
            ("opponent's update", found.updates, {"p50": 0, "p99": 100}),
        )
        for (label, goal), share in zip(
            goals.items(), [{"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99.9": 0.999}[key] for key in goals], strict=True
        )
    ]


async def _folds(service: Service) -> Sequence[Figure]:
    folded = await service.command("replay", "--projection", "games", "--check")
    audited = await service.command("audit", "--all")
    return [
        figures.at_least(
            "fold into PostgreSQL, and compare", folded[0]["records"] / folded[0]["seconds"], "records/s", 10_000
        ),
        figures.at_least("replay and audit", audited["events"] / audited["seconds"], "events/s", 10_000),
    ]


async def _sockets(service: Service) -> Sequence[Figure]:
    from services.cli.bench.sockets import idle

    before, after = await idle(service, 2000)
    return [
        figures.at_most("the api with 2,000 idle sockets", after, "MB", 300),
        figures.plain("  one idle socket", (after - before) * 1000 / 2000, "kB"),
    ]

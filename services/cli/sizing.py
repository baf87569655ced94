"""`wordyard sizing`: how many machines so many games a day need, worked out minute by minute from measured costs."""

from collections.abc import Iterator, Sequence
from math import ceil, cos, pi

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

MINUTES = 24 * 60
PEAK_HOUR = 20.0  # Eastern: when most people play


class Costs(Struct, frozen=True, kw_only=True):
    """What things cost, as `wordyard bench` and its subcommands have measured them (docs/scaling.md says where).

    CPU in microseconds of one core of the machine that they were measured on.
    """

    api: float = 350
    game: float = 300  # a command, without its folds
    fold: float = 85  # a record into all projections
    log: float = 155  # NATS, a command with all that it moves
    timers: float = 20  # the scheduler, a record
    notices: float = 30  # the worker, a record
    postgres: float = 25  # a record
    closing: float = 265  # a game at its midnight, all services together
    board: float = 380  # the solver, a fresh board; the api's part is `api`
    socket_kb: float = 20  # memory of an open socket
    game_bytes: float = 6_000  # of a game in the log, before it is archived
    append_limit: float = 7_900  # records a second that one stream of three replicas takes with sync always
    fold_limit: float = 14_000  # records a second that one projection takes
    close_within: float = 27.5  # seconds for all closings, after the grace


class Play(Struct, frozen=True, kw_only=True):
    """How people play, on a day of so many games."""

    games: float
    share_of_duels: float = 0.4  # the others are Dailies
    commands_of_duel: float = 11.0  # both secrets and nine guesses
    commands_of_daily: float = 4.2
    open_at_midnight: float = 0.15  # of the duels; of the Dailies a tenth of that
    boards_a_game: float = 0.2
    minutes_watched: float = 6.0  # that a player's socket is open, a game
    peak: float = 2.5  # the busiest minute against the mean of the day


class Machines(Struct, frozen=True, kw_only=True):
    """Of which kind they are: cores, and how much of them may be busy in the busiest minute."""

    cores: int = 4
    busy: float = 0.6


class Minute(Struct, frozen=True):
    """One minute of the day: what comes in each second, and which sockets are open."""

    commands: float
    boards: float
    closings: float
    sockets: float


class Need(Struct, frozen=True, kw_only=True):
    """What one kind of process needs: cores in the busiest second, and machines with one to spare."""

    what: str
    cores: float
    machines: int


class Sizes(Struct, frozen=True, kw_only=True):
    """The day, and what it takes."""

    commands_a_day: float
    commands_at_peak: float
    appends_at_midnight: float
    sockets_at_peak: float
    streams: int  # shards of the log by the game's id
    folds: int  # shards of the projections
    log_gb_a_week: float
    needs: tuple[Need, ...]


def day(play: Play, costs: Costs) -> Iterator[Minute]:
    """The minutes of an Eastern day, from midnight on; the closings of the day before fall into the first."""
    duels, dailies = play.games * play.share_of_duels, play.games * (1 - play.share_of_duels)
    commands = duels * play.commands_of_duel + dailies * play.commands_of_daily
    watching = duels * 2 + dailies
    closings = (duels + dailies / 10) * play.open_at_midnight / costs.close_within
    curve = [_curve(minute / 60, play.peak) for minute in range(MINUTES)]
    whole = sum(curve)
    for minute, height in enumerate(curve):
        share = height / whole
        yield Minute(
            commands=commands * share / 60,
            boards=play.games * play.boards_a_game * share / 60,
            closings=0.0 if minute else closings,
            sockets=watching * share * play.minutes_watched,
        )


def _curve(hour: float, peak: float) -> float:
    """How busy an hour is against others: a wave with its crest in the evening, never below a tenth."""
    return max(0.1, 1 + (peak - 1) * cos((hour - PEAK_HOUR) * pi / 12))


def sizes(play: Play, costs: Costs, machines: Machines) -> Sizes:
    """What this day takes at its busiest, service by service."""
    minutes = list(day(play, costs))
    busiest = {
        "api": max(costs.api * (each.commands + each.boards) for each in minutes),
        "game": max((costs.game + costs.fold) * each.commands + costs.closing * each.closings / 2 for each in minutes),
        "solver": max(costs.board * each.boards for each in minutes),
        "scheduler": max(costs.timers * each.commands + costs.closing * each.closings / 5 for each in minutes),
        "worker": max(costs.notices * (each.commands + each.closings) for each in minutes),
        "NATS": max(costs.log * each.commands + costs.closing * each.closings / 4 for each in minutes),
        "PostgreSQL": max(costs.postgres * (each.commands + each.closings) for each in minutes),
    }
    appends = max(each.commands + each.closings for each in minutes)
    streams = ceil(appends / costs.append_limit)
    return Sizes(
        commands_a_day=sum(each.commands * 60 for each in minutes),
        commands_at_peak=max(each.commands for each in minutes),
        appends_at_midnight=minutes[0].commands + minutes[0].closings,
        sockets_at_peak=max(each.sockets for each in minutes),
        streams=streams,
        folds=ceil(max(each.commands for each in minutes) / costs.fold_limit),
        log_gb_a_week=play.games * 7 * costs.game_bytes / 1e9,
        needs=tuple(_need(what, micros / 1e6, machines, streams) for what, micros in busiest.items()),
    )


def _need(what: str, cores: float, machines: Machines, streams: int) -> Need:
    least = ceil(cores / (machines.cores * machines.busy))
    if what == "NATS":  # three replicas of everything, a cluster for each few streams
        count = 3 * max(least, ceil(streams / 2))
    elif what == "PostgreSQL":
        count = 2 * least  # one stands by
    else:
        count = least + 1  # one may be restarted or die at any time
    return Need(what=what, cores=cores, machines=count)


@click.command()
@click.option("--games", type=click.IntRange(1), default=10_000_000, show_default=True, help="A day.")
@click.option("--peak", type=click.FloatRange(1, 10), default=2.5, show_default=True, help="Busiest minute by mean.")
@click.option("--cores", type=click.IntRange(1), default=4, show_default=True, help="Of each machine.")
@click.option("--busy", type=click.FloatRange(0.1, 1), default=0.6, show_default=True, help="Share of them at peak.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def sizing(games: int, peak: float, cores: int, busy: float, as_json: bool) -> None:
    """Work out how many machines so many games a day need."""
    costs = Costs()
    found = sizes(Play(games=games, peak=peak), costs, Machines(cores=cores, busy=busy))
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    _show(found, cores, costs)


def _show(found: Sizes, cores: int, costs: Costs) -> None:
    console = Console()
    facts: Sequence[tuple[str, str]] = (
        ("commands a day", f"{found.commands_a_day:,.0f}"),
        ("commands a second in the busiest minute", f"{found.commands_at_peak:,.0f}"),
        ("appends a second just after midnight", f"{found.appends_at_midnight:,.0f}"),
        ("sockets open in the busiest minute", f"{found.sockets_at_peak:,.0f}"),
        ("  their memory", f"{found.sockets_at_peak * costs.socket_kb / 1e6:,.1f} GB"),
        ("streams that the log is spread over", f"{found.streams}"),
        ("shards of the projections", f"{found.folds}"),
        ("log of the week that is not archived", f"{found.log_gb_a_week:,.0f} GB a replica"),
    )
    table = Table("figure", "value", title="the day")
    for row in facts:
        table.add_row(*row)
    console.print(table)
    table = Table("process", "cores at the busiest", f"machines of {cores} cores", title="what it takes")
    for need in found.needs:
        table.add_row(need.what, f"{need.cores:.1f}", str(need.machines))
    table.add_row("all", f"{sum(need.cores for need in found.needs):.1f}", str(sum(n.machines for n in found.needs)))
    console.print(table)

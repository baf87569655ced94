"""`wordyard audit`: proves that a game, or all games, went by the rules, and that the tables say so too."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from string import ascii_uppercase
from typing import Any
from uuid import UUID

import click
import msgspec
import psycopg
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from libs.runtime import loops
from libs.runtime.settings import Settings
from services.cli.reach import DATA, reach, the_log
from services.game.audit import Report, audit_all, audit_game
from services.game.examine import Examined
from services.game.snapshot import snapshot

WHO = ("by", "player", "maker")  # fields of an event that name who it is about
OWN_COLUMN = ("type", "at", "word", "marks", "game", *WHO)
WIDTH = 240  # columns: lines that are too long for the terminal are better than broken ones
SHORT = 24  # characters of a salt or a digest that are more than one wants to see


class Move(Struct, frozen=True, kw_only=True):
    """One event as it is shown; times in UTC."""

    record: int
    at: datetime
    who: str
    what: str
    word: str = ""
    marks: str = ""
    more: dict[str, Any]


@click.command()
@click.argument("game", required=False)
@click.option("--all", "everything", is_flag=True, help="Every game in the log, and every row of the tables.")
@DATA
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def audit(game: str | None, everything: bool, data: Path | None, as_json: bool) -> None:
    """Replay GAME from the log: mark every guess again, check order, commitments and result, compare the tables.

    Exits with 1 if anything differs, and says what.
    """
    if (game is None) == (not everything):
        raise click.UsageError("name one game, or say --all")
    with reach(data) as settings:
        if game is not None:
            sys.exit(_one(settings, game_id(game), as_json))
        sys.exit(_all(settings, as_json))


def game_id(text: str) -> str:
    """The id in a game's id or address. Raises `click.UsageError`."""
    try:
        return str(UUID(text.rstrip("/").rpartition("/")[2]))  # the page's address will do
    except ValueError:
        raise click.UsageError(f"{text} is no game's id") from None


def _one(settings: Settings, game: str, as_json: bool) -> bool:
    examined = loops.run(_examine(settings, game))
    if not examined.history and not examined.problems:
        raise click.ClickException(f"no game {game} in the log")
    moves = list(_moves(examined))
    players = list(dict.fromkeys(move.who for move in moves if move.who))
    names = _names(settings, players)
    if as_json:
        facts = {"game": game, "players": names, "moves": moves, "problems": examined.problems}
        click.echo(msgspec.json.encode(facts))
    else:
        for letter, player in zip(ascii_uppercase, players, strict=False):
            click.echo(f"{letter} is {names[player] or 'somebody without a name'} ({player})")
        _show(moves, dict(zip(players, ascii_uppercase, strict=False)))
        _say(examined.problems)
    return bool(examined.problems)


async def _examine(settings: Settings, game: str) -> Examined:
    async with the_log(settings, "audit") as log, snapshot(settings.postgres_url) as tables:
        return await audit_game(log, tables, game)


def _names(settings: Settings, players: Sequence[str]) -> dict[str, str | None]:
    """What the players are called, as far as they have accounts."""
    with psycopg.connect(settings.postgres_url) as connection:
        found = connection.execute("select id, name from players where id = any(%s)", (list(players),))
        return dict.fromkeys(players) | dict(found.fetchall())


def _moves(examined: Examined) -> Iterator[Move]:
    for number, one in enumerate(examined.history, 1):
        for event in one.commit.events:
            facts = msgspec.to_builtins(event)
            yield Move(
                record=number,
                at=event.at,
                who=next((facts[field] for field in WHO if field in facts), ""),
                what=facts["type"],
                word=facts.get("word", ""),
                marks=facts.get("marks", ""),
                more={name: value for name, value in facts.items() if name not in OWN_COLUMN},
            )


def _show(moves: Sequence[Move], letters: Mapping[str, str]) -> None:
    table = Table("record", "at (UTC)", "who", "what", "word", "marks", "more", box=None, padding=(0, 2, 0, 0))
    for move in moves:
        more = ", ".join(f"{name} {_text(value, letters)}" for name, value in move.more.items() if value is not None)
        at = f"{move.at:%Y-%m-%d %H:%M:%S.%f}"[:-3]
        table.add_row(str(move.record), at, letters.get(move.who, ""), move.what, move.word, move.marks, more)
    Console(width=WIDTH, markup=False, highlight=False).print(table, no_wrap=True, crop=False)


def _text(value: Any, letters: Mapping[str, str]) -> str:
    """A value in few words; --json has all of it."""
    match value:
        case list() | tuple():
            return " and ".join(_text(one, letters) for one in value)
        case dict():
            return " ".join(_text(one, letters) for one in value.values())
        case str() if value not in letters and len(value) > SHORT:
            return f"{value[: SHORT // 2]}…"
        case _:
            return letters.get(value, str(value))


def _say(problems: Sequence[str]) -> None:
    for problem in problems:
        click.echo(f"  {problem}")
    count = len(problems)
    click.echo(f"{count:,} difference{'' if count == 1 else 's'}." if problems else "All is right.")


def _all(settings: Settings, as_json: bool) -> bool:
    began = time.monotonic()
    with _progress() as told:
        report = loops.run(_audit_all(settings, told))
    seconds = time.monotonic() - began
    wrong = bool(report.problems or report.rest)
    if as_json:
        click.echo(msgspec.json.encode({**msgspec.to_builtins(report), "seconds": round(seconds, 3)}))
        return wrong
    rate = report.events / seconds
    click.echo(f"{report.games:,} games, {report.events:,} events in {seconds:.1f} s ({rate:,.0f}/s)")
    for name, behind in report.behind.items():
        if behind:
            click.echo(f"{name} had not folded the newest {behind:,} records: compared as far as it has come")
    problems = [f"{game}: {problem}" for game, some in report.problems.items() for problem in some]
    _say([*problems, *report.rest])
    return wrong


async def _audit_all(settings: Settings, progress: Callable[[int, int, int], None]) -> Report:
    async with the_log(settings, "audit") as log, snapshot(settings.postgres_url) as tables:
        return await audit_all(log, tables, progress)


@contextmanager
def _progress() -> Iterator[Callable[[int, int, int], None]]:
    columns = (BarColumn(), TextColumn("{task.completed:,} of {task.total:,} records"), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as progress:
        bar, began = progress.add_task("", total=0), time.monotonic()

        def told(done: int, end: int, events: int) -> None:
            rate = events / max(time.monotonic() - began, 0.001)
            progress.update(bar, completed=done, total=end, description=f"{rate:,.0f} events/s")

        yield told

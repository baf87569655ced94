"""`wordyard moderate`: what operators do about reports and players, from the command line.

Each act is a command to the log with who and why. Sessions, names and lists follow within seconds while the services
run, or when they run again.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from rich.console import Console
from rich.table import Table

from libs.core.games.person import commands
from libs.core.games.person.commands import LONGEST_WHY, TEN_YEARS
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import clock
from libs.runtime.settings import Settings
from services.api.desk.lookups import question, require_apart, seen_in
from services.api.desk.reports import REPORTS, asked, texts_of
from services.api.problems import Problem
from services.cli.audit import game_id
from services.cli.operating import Desk, desk, refusal
from services.cli.reach import DATA, reach

MOST = 1000  # reports listed
WIDTH = 240  # columns
UNITS = {"m": 60, "h": 3600, "d": 86_400}  # seconds

_NAMES = "select id, name from players where id = any(%s)"

Command = TypeVar("Command", bound=Callable[..., Any])


class Span(click.ParamType[int]):
    """A time such as 30m, 12h or 7d, in seconds."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The seconds; fails for a text that is none, or less than a minute, or more than ten years."""
        found = re.fullmatch(r"(\d{1,6})([mhd])", str(value))
        seconds = int(found[1]) * UNITS[found[2]] if found else 0
        if not 60 <= seconds <= TEN_YEARS:
            self.fail(f"{value} is no time such as 30m, 12h or 7d", param, ctx)
        return seconds


def _why(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        return msgspec.convert(value, commands.Why)
    except msgspec.ValidationError:
        raise click.BadParameter(f"one line of at most {LONGEST_WHY} characters") from None


def _acting(command: Command) -> Command:
    """The options of whatever is done in an operator's name."""
    command = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)
    command = DATA(command)
    as_ = "The operator's account, by id or e-mail address (else: the only one of WORDYARD_OPERATORS)."
    command = click.option("--as", "as_", metavar="ACCOUNT", help=as_)(command)
    return click.option("--why", required=True, callback=_why, help="In one line; it is kept for ever.")(command)


@click.group()
def moderate() -> None:
    """Reports and players, as operators see them."""


@moderate.command()
@click.option("--state", type=click.Choice(["open", "decided", "all"]), default="open", show_default=True)
@DATA
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def reports(state: str, data: Path | None, as_json: bool) -> None:
    """List reports, the newest first, with what was said while the chat is still there."""
    with reach(data) as settings:
        found = asyncio.run(_reports(settings, None if state == "all" else state))
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    table = Table("reported (UTC)", "game", "message", "about", "by", "decided", "text", box=None, padding=(0, 2, 0, 0))
    for one in found:
        decided = "" if one["decision"] is None else "upheld" if one["decision"]["upheld"] else "dismissed"
        names = [one[who]["name"] or one[who]["id"] for who in ("about", "reporter")]
        at = f"{one['reported_at']:%Y-%m-%d %H:%M:%S}"
        table.add_row(at, one["game"], one["message"], *names, decided, one["text"] or "")
    Console(width=WIDTH, markup=False, highlight=False).print(table, no_wrap=True, crop=False)


async def _reports(settings: Settings, state: str | None) -> list[dict[str, Any]]:
    async with desk(settings) as at:
        rows = at.rows(REPORTS, asked(state, limit=MOST))
        names = dict(at.rows(_NAMES, ([*{player for row in rows for player in (row[3], row[4], row[5]) if player}],)))
        texts = await texts_of(ChatStore(at.connection), {row[0] for row in rows}, clock()())
    found = []
    for game, message, made_at, reporter, about, by, decided_at, upheld, why in rows:
        decision = {"by": by, "at": decided_at, "upheld": upheld, "why": why} if by else None
        found.append(
            {
                "game": game,
                "message": message,
                "reported_at": made_at,
                "reporter": {"id": reporter, "name": names.get(reporter)},
                "about": {"id": about, "name": names.get(about)},
                "text": texts.get((game, message)),
                "decision": decision,
            }
        )
    return found


@moderate.command()
@click.argument("game")
@click.argument("message")
@click.option("--upheld/--dismissed", required=True, help="Was it right to report the message?")
@_acting
def decide(game: str, message: str, upheld: bool, why: str, as_: str | None, data: Path | None, as_json: bool) -> None:
    """Decide the reports of a MESSAGE in a GAME; once."""
    id_ = game_id(game)
    found = {"type": "decide_report", "in_game": id_, "message": message, "upheld": upheld, "why": why}

    async def decided(at: Desk) -> dict[str, Any]:
        rows = at.rows(REPORTS, asked(game=id_, message=message))
        if not rows:
            raise refusal("unknown_report")
        await at.act(at.operator(as_), rows[0][4], found)
        return {"done": "decide_report", "player": rows[0][4]}

    _say(_run(data, decided), as_json)


@moderate.command()
@click.argument("player")
@click.option("--for", "seconds", type=Span(), metavar="TIME", help="Such as 30m, 12h or 7d (else: for good).")
@_acting
def mute(player: str, seconds: int | None, why: str, as_: str | None, data: Path | None, as_json: bool) -> None:
    """Let PLAYER write in no chat."""
    _act({"type": "mute", "why": why, "seconds": seconds}, player, as_, data, as_json)


def _add(name: str, does: str) -> None:
    """Add the command of an act that needs no more than the player and a reason."""

    @moderate.command(name, help=does)
    @click.argument("player")
    @_acting
    def command(player: str, why: str, as_: str | None, data: Path | None, as_json: bool) -> None:
        _act({"type": name, "why": why}, player, as_, data, as_json)


_add("unmute", "Let PLAYER write again.")
_add("rename", "Give PLAYER a generated name; an account may choose again.")
_add("close", "End PLAYER's sessions and refuse every sign-in.")
_add("reopen", "Let PLAYER sign in again.")


@moderate.command()
@click.argument("game")
@click.option("--player", required=True, help="Whose view: the id by which they sit at the game.")
@click.option("--at", "version", type=click.IntRange(min=1), metavar="N", help="After the N-th record (the newest).")
@_acting
def show(
    game: str, player: str, version: int | None, why: str, as_: str | None, data: Path | None, as_json: bool
) -> None:
    """Show GAME as a player saw it after its N-th record, and nothing that they could not see."""

    async def shown(at: Desk) -> dict[str, Any]:
        operator, id_ = at.operator(as_), game_id(game)
        answer = await at.ask(question(id_, player, version))
        seen = seen_in(answer, player, version)
        require_apart(answer, at.seats(operator), clock()())
        await at.act(operator, player, {"type": "look_up", "in_game": id_, "version": seen.version, "why": why})
        return {"version": seen.version, "versions": answer.seen[-1].version, "view": msgspec.json.decode(seen.view)}

    found = _run(data, shown)
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        click.echo(f"version {found['version']} of {found['versions']}, as {player} saw it")
        click.echo(msgspec.json.format(msgspec.json.encode(found["view"]), indent=2))


def _act(what: dict[str, Any], player: str, as_: str | None, data: Path | None, as_json: bool) -> None:
    async def done(at: Desk) -> dict[str, Any]:
        account = at.account_of(player)
        await at.act(at.operator(as_), account, what)
        return {"done": what["type"], "player": account}

    _say(_run(data, done), as_json)


def _run(data: Path | None, what: Callable[[Desk], Coroutine[Any, Any, dict[str, Any]]]) -> dict[str, Any]:
    async def run(settings: Settings) -> dict[str, Any]:
        async with desk(settings) as at:
            return await what(at)

    try:
        with reach(data) as settings:
            return asyncio.run(run(settings))
    except Problem as problem:
        raise refusal(problem.code) from None


def _say(done: dict[str, Any], as_json: bool) -> None:
    click.echo(msgspec.json.encode(done) if as_json else f"Done: {done['done'].replace('_', ' ')} {done['player']}.")

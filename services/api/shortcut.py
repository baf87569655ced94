"""Shortcuts around the router for the requests that come by the thousand: guesses and boards.

They do what `moves.guess`, `daily.guess` and `solver.ask` do, and every refusal is the same; routing, binding and
unbinding cost as much again as all the rest of the edge.
"""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from services.api import daily
from services.api.daily import DailyGuess
from services.api.moves import Guess, guessed
from services.api.parts import Parts
from services.api.replies import Receive, Reply, Scope
from services.api.solver import Board, asked
from services.api.visits import Visit, decode, read_body

GUESSES = "/api/v1/games/{game}/guesses"
DAILY = "/api/v1/daily/guesses"
BOARDS = "/api/v1/solver"

_GUESSES = re.compile(re.escape(GUESSES).replace(r"\{game\}", "([^/]+)"))


class Shortcut(NamedTuple):
    """The template of a route, and its answer; that raises whatever the router would turn into a problem."""

    route: str
    answer: Callable[[Parts, Visit, Receive], Awaitable[Reply]]


def shortcut(scope: Scope) -> Shortcut | None:
    """The shortcut that this request may take, if there is one."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return None
    if (known := _FIXED.get(scope["path"])) is not None:
        return known
    found = _GUESSES.fullmatch(scope["path"])
    return Shortcut(GUESSES, partial(_guess, found[1])) if found else None


async def _guess(game: str, parts: Parts, visit: Visit, receive: Receive) -> Reply:
    body: Guess = decode(await read_body(receive, visit.headers), visit.headers, Guess)
    return await guessed(parts, visit, game, body)


async def _board(parts: Parts, visit: Visit, receive: Receive) -> Reply:
    body: Board = decode(await read_body(receive, visit.headers), visit.headers, Board)
    return await asked(parts, visit, body)


async def _daily(parts: Parts, visit: Visit, receive: Receive) -> Reply:
    body: DailyGuess = decode(await read_body(receive, visit.headers), visit.headers, DailyGuess)
    return await daily.guessed(parts, visit, body)


_FIXED = {route: Shortcut(route, answer) for route, answer in ((DAILY, _daily), (BOARDS, _board))}

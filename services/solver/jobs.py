"""The tasks that need the solver. It is loaded with the first of them: a worker that only sends mail does without."""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from threading import Lock

import msgspec
import psycopg
import structlog

from libs.core import lexicon
from libs.core.board import Row
from libs.core.solver_openings import encode
from libs.core.solver_openings import openings as shipped
from libs.runtime.tasks import FIRST_ROWS, OPENINGS
from services.solver import common, lists, openings, ready, warm
from services.solver.answers import Solver
from services.solver.review import Reviewer

_WAITING = "select player, rows::text, answer from reviews where game = %s and review is null for update"
_MADE = "update reviews set review = %s where game = %s and player = %s"

log = structlog.get_logger()

_rows = msgspec.json.Decoder(tuple[Row, ...])
_making = Lock()


def review_game(connection: psycopg.Connection[object], folder: Path, game: str) -> None:
    """Look back on every side of this game for which that has not been done."""
    _, reviewer = _ready(folder)
    with connection.transaction(), connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        waiting = cursor.execute(_WAITING, (game,)).fetchall()
        for player, rows, answer in waiting:
            review = reviewer().review(_rows.decode(rows), answer)
            cursor.execute(_MADE, (msgspec.json.encode(review).decode(), game, player))
    if waiting:
        log.info("game reviewed", game=game)


def work_out_openings(connection: psycopg.Connection[object], folder: Path, words: str, now: datetime) -> None:
    """Work the openings of this list out, and see whether they are those that are shipped with it."""
    solver, _ = _ready(folder)
    if solver.letters.digest != words:
        return  # the list of another release, whose workers see to it
    found = openings.work_out(solver.letters, solver.kernel)
    if found != shipped(lexicon.editions()[-1]):
        log.error("openings of another list are shipped: wordyard matrix build --openings makes them", words=words)
    lists.put(connection, words, OPENINGS, encode(found), now)


def work_out_first_rows(connection: psycopg.Connection[object], folder: Path, words: str, now: datetime) -> None:
    """Work out what there is to say about the first rows that are asked most."""
    solver, _ = _ready(folder)
    if solver.letters.digest != words:
        return
    rows = common.first_rows(solver.letters, lexicon.newest().secrets)
    lists.put(connection, words, FIRST_ROWS, warm.work_out(solver, rows), now)


def _ready(folder: Path) -> tuple[Solver, Callable[[], Reviewer]]:
    """The solver of this folder and what gives its reviewer, made once though first tasks come on several threads."""
    with _making:
        return _made(folder)


@cache
def _made(folder: Path) -> tuple[Solver, Callable[[], Reviewer]]:
    solver = ready.solver(folder)
    return solver, ready.reviewer(folder, solver)

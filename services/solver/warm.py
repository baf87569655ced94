"""Answers that are kept before anybody asks: how they travel from the task that finds them to the solvers."""

from collections.abc import Iterable

import msgspec
import numpy as np
import psycopg
import structlog
from msgspec import Struct

from libs.core.board import Row
from libs.runtime.tasks import FIRST_ROWS
from services.solver import lists
from services.solver.answers import Solver
from services.solver.kept import Found
from services.solver.letters import Letters
from services.solver.rank import Ranking

IDS, TENTHS = np.dtype("<u2"), np.dtype("<u4")


class Warm(Struct, frozen=True):
    """A row, how many words it leaves, and their ranking."""

    row: Row
    count: int
    guesses: bytes
    tenths: bytes


log = structlog.get_logger()

_decoder = msgspec.msgpack.Decoder(tuple[Warm, ...])


def work_out(solver: Solver, rows: Iterable[Row]) -> bytes:
    """The answers about boards of one row each, each of which leaves a word at least."""
    return msgspec.msgpack.encode([_warm(row, solver.find(frozenset({row}))) for row in rows])


def load(postgres_url: str, solver: Solver) -> int | None:
    """Have the solver keep these answers; answers with how many they are, or with none if they are not there yet."""
    try:
        with psycopg.connect(postgres_url, connect_timeout=2) as connection:
            content = lists.get(connection, solver.letters.digest, FIRST_ROWS)
    except psycopg.Error as error:
        log.warning("nothing is warm", error=type(error).__name__)
        return None
    if content is None:
        return None
    try:
        boards = read(content, solver.letters)
    except (msgspec.DecodeError, ValueError) as error:
        log.error("what shall be warm is not readable", error=type(error).__name__)
        return 0
    for row, found in boards:
        solver.keep(frozenset({row}), found)
    return len(boards)


def read(content: bytes, letters: Letters) -> list[tuple[Row, Found]]:
    """What `work_out` has made over these letters. Raises `ValueError` for anything else."""
    found = []
    for warm in _decoder.decode(content):
        guesses = np.frombuffer(warm.guesses, IDS).astype(np.uint16)
        tenths = np.frombuffer(warm.tenths, TENTHS).astype(np.uint32)
        if len(guesses) != len(tenths) or not len(guesses) <= warm.count or guesses.max() >= len(letters.words):
            raise ValueError("no rankings over these words")
        found.append((warm.row, Found("ok", warm.count, Ranking(guesses, tenths))))
    return found


def _warm(row: Row, found: Found) -> Warm:
    ranking = found.ranking
    return Warm(row, found.count, ranking.guesses.astype(IDS).tobytes(), ranking.tenths.astype(TENTHS).tobytes())

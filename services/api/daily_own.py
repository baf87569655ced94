"""One's own result of a day: from the tables, or from the game service while it is too new for them."""

from datetime import date, datetime
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from libs.core.daily_scores import FAILED
from libs.core.games.daily.view import DailyView, end_of
from libs.core.messages import GameId
from libs.core.refusals import Reason
from services.api.accounts.sessions import Session
from services.api.asking import look
from services.api.database import Connection
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.visits import Visit

State: TypeAlias = Literal["solved", "failed", "closed"]

OWN = """
select game::text, guesses, solved, finished, elapsed_ms, finished_at, shown, shown and solved and member
from daily.results where owner = any(%(seats)s) and day = %(day)s and counted
order by owner <> %(player)s, finished_at, game limit 1
"""

_view = msgspec.json.Decoder(DailyView)

TAKEN = """
select exists (select 1 from daily.results where day = %(day)s and origin = %(origin)s and origin <> ''
    and finished and not member and shown)
"""


class Mine(Struct, frozen=True):
    """One's result; the tables have it in the distribution (`shown`), on the board (`listed`), or not yet (`new`)."""

    game: GameId
    guesses: int
    solved: bool
    finished: bool
    elapsed_ms: int | None
    finished_at: datetime
    shown: bool = False
    listed: bool = False
    new: bool = False

    @property
    def state(self) -> State:
        """What became of the attempt."""
        return state(solved=self.solved, finished=self.finished)

    @property
    def number(self) -> int:
        """The number of guesses as it is counted."""
        return self.guesses if self.solved else FAILED


def state(*, solved: bool, finished: bool) -> State:
    """What became of an attempt that has ended."""
    return "solved" if solved else "failed" if finished else "closed"


async def kept(connection: Connection, session: Session, day: date) -> Mine | None:
    """The result that the tables have."""
    asked = {"seats": list(session.seats), "player": session.player, "day": day}
    row = await (await connection.execute(OWN, asked)).fetchone()
    return Mine(*row) if row else None


async def is_taken(connection: Connection, day: date, origin: str) -> bool:
    """Is a guest of this address in the distribution of the day, so that no other will be?"""
    row = await (await connection.execute(TAKEN, {"day": day, "origin": origin})).fetchone()
    return bool(row and row[0])


async def played(parts: Parts, visit: Visit, day: date) -> Mine | None:
    """The result that the game service knows of, if the attempt has ended. Raises `Unavailable` or `Problem`."""
    try:
        answer = await look(parts, visit, await parts.dailies.attempt(visit.who, day))
    except Problem as problem:
        if problem.code != Reason.UNKNOWN_GAME:
            raise
        return None
    if not answer.ended:
        return None
    view = _view.decode(answer.seen[-1].view)
    return Mine(
        game=view.id,
        guesses=len(view.guesses),
        solved=view.state == "solved",
        finished=view.state != "closed",
        elapsed_ms=view.elapsed_ms,
        finished_at=end_of(view),
        new=True,
    )

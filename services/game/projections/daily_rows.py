"""The rows of the Daily's tables."""

from datetime import date, datetime
from uuid import UUID

from msgspec import Struct

from libs.core import daily_statistics
from libs.core.messages import PlayerId
from services.game.projections.joined import Joined
from services.game.rows import Sums, Table


class Day(Struct, kw_only=True):
    """A row of daily.days."""

    day: date
    game: UUID
    commitment: str
    announced_at: datetime
    word: str | None = None
    salt: str | None = None


class Result(Struct, kw_only=True):
    """A row of daily.results. The last four hang on what else there is of the owner and of the address."""

    game: UUID
    day: date
    player: PlayerId
    guest: bool
    origin: str
    guesses: int
    solved: bool
    finished: bool
    elapsed_ms: int | None
    finished_at: datetime
    owner: PlayerId
    member: bool
    counted: bool = False
    shown: bool = False


class Count(Struct, kw_only=True):
    """A row of daily.counts."""

    day: date
    guesses: int
    width: int
    bucket: int
    n: int
    members: int


class Statistics(daily_statistics.Statistics, kw_only=True):
    """A row of daily.statistics."""

    player: PlayerId


def _plus(one: Count, other: Count) -> Count:
    return Count(
        day=one.day,
        guesses=one.guesses,
        width=one.width,
        bucket=one.bucket,
        n=one.n + other.n,
        members=one.members + other.members,
    )


DAYS: Table[Day] = Table("days", Day, key=["day"], game="game")
JOINED: Table[Joined] = Table("joined", Joined, key=["guest"], game="person")
RESULTS: Table[Result] = Table(
    "results", Result, key=["game"], game="game", shared=["owner", "member", "counted", "shown"]
)
COUNTS: Sums[Count] = Sums(
    "counts",
    Count,
    key=["day", "guesses", "width", "bucket"],
    plus=_plus,
    changes={"n": "old.n + excluded.n", "members": "old.members + excluded.members"},
)
STATISTICS: Table[Statistics] = Table("statistics", Statistics, key=["player"], game=None)

"""The rows of results and rivals."""

from datetime import date, datetime
from uuid import UUID

from msgspec import Struct

from libs.core.facts import Outcome
from libs.core.messages import PlayerId
from services.game.projections.joined import Joined
from services.game.rows import Sums, Table


class Playing(Struct, kw_only=True):
    """A row of results.playing."""

    game: UUID
    kind: str
    players: list[PlayerId]
    guests: list[bool]
    day: date | None = None
    rivals: bool = False


class Result(Struct, kw_only=True):
    """A row of results.results. The last three hang on who has joined whom, and on other games of the day."""

    game: UUID
    player: PlayerId
    guest: bool
    opponent: PlayerId | None
    kind: str
    day: date | None
    ended_at: datetime
    outcome: Outcome
    guesses: int
    solved: bool
    counted: bool
    rivals: bool
    owner: PlayerId
    rival: PlayerId | None = None
    recorded: bool = False


class Rivals(Struct, kw_only=True):
    """A row of results.rivals: the pair as one of them sees it."""

    player: PlayerId
    rival: PlayerId
    kind: str
    wins: int
    losses: int
    draws: int
    played: int
    last_game: UUID
    last_day: date


def _plus(one: Rivals, other: Rivals) -> Rivals:
    """Both together."""
    last = max(one, other, key=lambda row: (row.last_day, row.last_game))
    return Rivals(
        player=one.player,
        rival=one.rival,
        kind=one.kind,
        wins=one.wins + other.wins,
        losses=one.losses + other.losses,
        draws=one.draws + other.draws,
        played=one.played + other.played,
        last_game=last.last_game,
        last_day=last.last_day,
    )


JOINED: Table[Joined] = Table("joined", Joined, key=["guest"], game="person")
PLAYING: Table[Playing] = Table("playing", Playing, key=["game"], game="game")
RESULTS: Table[Result] = Table(
    "results", Result, key=["game", "player"], game="game", shared=["owner", "rival", "recorded"]
)
RIVALS: Sums[Rivals] = Sums(
    "rivals",
    Rivals,
    key=["player", "rival", "kind"],
    plus=_plus,
    changes={
        "wins": "old.wins + excluded.wins",
        "losses": "old.losses + excluded.losses",
        "draws": "old.draws + excluded.draws",
        "played": "old.played + excluded.played",
        "last_game": "case when (old.last_day, old.last_game) > (excluded.last_day, excluded.last_game) "
        "then old.last_game else excluded.last_game end",
        "last_day": "greatest(old.last_day, excluded.last_day)",
    },
)

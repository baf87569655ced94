"""What every game tells the projections, in words that all games share.

Each game turns its own events into these; the projections know facts and no game. Facts are derived anew at every fold
and stored nowhere, so their names may change.
"""

from datetime import date, datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from libs.core.messages import PlayerId

Outcome: TypeAlias = Literal["win", "loss", "draw", "none", "not_counted"]


class Made(Struct, frozen=True, kw_only=True):
    """A game exists; `expires_at` is set while it waits as an invite."""

    maker: PlayerId
    expires_at: datetime | None = None


class Seated(Struct, frozen=True, kw_only=True):
    """A player has taken a seat (0 is the maker's)."""

    player: PlayerId
    seat: int
    guest: bool


class Began(Struct, frozen=True, kw_only=True):
    """The game has started: it belongs to this Eastern day and closes at this instant (UTC)."""

    day: date
    closes_at: datetime
    rivals: bool  # both signed in: it goes into their record


class Moved(Struct, frozen=True, kw_only=True):
    """A guess was taken: the player's `number`-th."""

    player: PlayerId
    number: int
    solved: bool
    finished: bool


class Scored(Struct, frozen=True, kw_only=True):
    """What the end means for one player."""

    player: PlayerId
    outcome: Outcome
    guesses: int
    solved: bool


class Over(Struct, frozen=True, kw_only=True):
    """The game has ended."""

    scores: tuple[Scored, ...]


class Void(Struct, frozen=True, kw_only=True):
    """An invite that came to nothing."""

    why: Literal["withdrawn", "expired"]


Fact: TypeAlias = Made | Seated | Began | Moved | Over | Void

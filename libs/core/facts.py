"""What every game tells the projections, in words that all games share.

Each game turns its own events into these; the projections know facts and no game. Facts are derived anew at every fold
and stored nowhere, so their names may change.
"""

from datetime import date, datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from libs.core.messages import GameId, PlayerId

Outcome: TypeAlias = Literal["win", "loss", "draw", "none", "not_counted"]
Action: TypeAlias = Literal["muted", "unmuted", "renamed", "closed", "reopened", "report_decided", "looked_up"]


class Made(Struct, frozen=True, kw_only=True):
    """A game exists; `expires_at` is set while it waits as an invite.

    `keyed`: its id was drawn by chance, and the request key that made it is claimed for it.
    """

    maker: PlayerId
    expires_at: datetime | None = None
    keyed: bool = True


class Seated(Struct, frozen=True, kw_only=True):
    """A player has taken a seat (0 is the maker's)."""

    player: PlayerId
    seat: int
    guest: bool


class SecretSet(Struct, frozen=True, kw_only=True):
    """A player has set what the other shall find."""

    player: PlayerId


class Began(Struct, frozen=True, kw_only=True):
    """The game has started: it belongs to this Eastern day and closes at this instant (UTC).

    If only one of the players has set a secret by then, it waits for the other's.
    """

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
    """The game has ended; without scores if nobody played against anybody."""

    scores: tuple[Scored, ...]


class Void(Struct, frozen=True, kw_only=True):
    """An invite that came to nothing."""

    why: Literal["withdrawn", "expired"]


class Drawn(Struct, frozen=True, kw_only=True):
    """A game is played for the word of an Eastern day, to which this commitment was made."""

    day: date
    word: str
    commitment: str


class Solo(Struct, frozen=True, kw_only=True):
    """What became of one player's attempt at the Daily of an Eastern day.

    `origin` tells guests of one network address from others, within this day alone; it is empty for accounts.
    `finished`: solved, or all guesses used; else midnight came first. `elapsed_us` is set if it was solved.
    """

    day: date
    player: PlayerId
    guest: bool
    origin: str
    guesses: int
    solved: bool
    finished: bool
    elapsed_us: int | None  # microseconds from the first guess to the last
    finished_at: datetime  # UTC: the last guess, or the midnight


class Announced(Struct, frozen=True, kw_only=True):
    """The word of a day is fixed, and this commitment to it can be seen by everybody."""

    day: date
    commitment: str


class Revealed(Struct, frozen=True, kw_only=True):
    """The day is over: everybody may know its word, and the salt that its commitment was made with."""

    day: date
    word: str
    salt: str


class GuestJoined(Struct, frozen=True, kw_only=True):
    """A guest is a part of this account from now on; if the ids are equal, the guest has become the account."""

    account: PlayerId
    guest: PlayerId


class Moderated(Struct, frozen=True, kw_only=True):
    """An operator has done something about a player.

    `until` is the end of a mute (UTC, none: for good). The game of a report or of a look-up is `in_game`.
    """

    player: PlayerId
    by: PlayerId
    what: Action
    why: str
    until: datetime | None = None
    in_game: GameId | None = None
    message: str | None = None
    upheld: bool | None = None
    version: int | None = None


Fact: TypeAlias = (
    Made
    | Seated
    | SecretSet
    | Began
    | Moved
    | Over
    | Void
    | Drawn
    | Solo
    | Announced
    | Revealed
    | GuestJoined
    | Moderated
)

"""What the services ask each other, and what they answer: the wire between api, scheduler, game and solver (JSON).

Every `Call` goes to `subjects.ask(game)` first and, if nobody answers there, to `subjects.ASK_ANY`. `Solve` and
`LookBack` go to whichever solver is free.
"""

from datetime import datetime
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Raw, Struct

from libs.core.board import Row
from libs.core.messages import GameId, PlayerId


class Person(Struct, frozen=True, kw_only=True):
    """Who asks, as the edge knows them. `aliases` are the guests that this account has been in this browser.

    `origin` is a guest's network address as a digest, good for one day, where it matters (the Daily). An `operator` of
    the service is known as one only where it acts as one.
    """

    id: PlayerId
    guest: bool = False
    aliases: tuple[PlayerId, ...] = ()
    origin: str = ""
    operator: bool = False


class Do(Struct, frozen=True, kw_only=True, tag_field="call", tag="do"):
    """A command. `kind` is needed only where it makes the game; a made game has the id that the edge chose.

    `v` is the `VERSION` of who asks: a command that an older copy does not understand is for a newer one.

    Making is safe to repeat: the request key is claimed together with the first record, so that the same key always
    leads to the game that it made first, and the answer names that game.
    """

    game: GameId
    by: Person
    key: str
    received: datetime
    command: Raw  # a JSON object with `type`, one of the kind's commands
    kind: str | None = None
    v: int = 1


class Look(Struct, frozen=True, kw_only=True, tag_field="call", tag="look"):
    """What may this person see? With `after`, also every view between that version and the present one."""

    game: GameId
    by: Person
    after: int | None = None


class LookAtInvite(Struct, frozen=True, kw_only=True, tag_field="call", tag="invite"):
    """What may anybody with the link know of this invite?"""

    game: GameId
    received: datetime


class LookAtAudit(Struct, frozen=True, kw_only=True, tag_field="call", tag="audit"):
    """Everything about an ended game, for its players."""

    game: GameId
    by: Person


class Wake(Struct, frozen=True, kw_only=True, tag_field="call", tag="wake"):
    """A timer has rung: let the game decide whether it is time."""

    game: GameId
    kind: str


class WakeMany(Struct, frozen=True, kw_only=True, tag_field="call", tag="wake_many"):
    """The time of many games has come at once: let each decide, as for `Wake`.

    At least one, all of one kind and one partition. The answer names as `left` those that could not be asked.
    """

    games: tuple[GameId, ...]
    kind: str

    @property
    def game(self) -> GameId:
        """One of them, by which all are steered."""
        return self.games[0]


Call: TypeAlias = Do | Look | LookAtInvite | LookAtAudit | Wake | WakeMany


class Seen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One version of a game as one player sees it."""

    version: int  # 1, 2, 3 ...: how many records the game has
    view: Raw  # JSON; the names of players are null: only the edge knows them


NOTHING = Raw()
"""No body; false where a truth is asked for."""


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the game service says.

    One of `seen`, `body` and `refused` is set. `seen` holds the views asked for, oldest first: the last is the answer
    to a command. `body` is the JSON answer of the calls that are not about a view.
    """

    game: GameId = ""
    kind: str = ""
    player: PlayerId = ""  # the seat's own id: the account, or one of its aliases
    players: tuple[PlayerId, ...] = ()
    sequence: int = 0  # the log's number of the game's newest record
    ended: bool = False
    due: datetime | None = None
    chat_until: datetime | None = None
    seen: tuple[Seen, ...] = ()
    body: Raw = NOTHING
    left: tuple[GameId, ...] = ()  # of many that were woken, those to be woken again
    refused: str | None = None  # a Reason, or "try_again" when the log cannot be reached (facts: none)
    newer: bool = False  # refused since only a newer release can know: another copy may
    facts: dict[str, Any] | None = None


TRY_AGAIN = "try_again"
"""The outcome is unknown: asking again with the same key settles it."""


class Solve(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is there to say about a board? With at most `limit` candidates; `split`: also name splitters."""

    rows: tuple[Row, ...]
    limit: Annotated[int, Meta(ge=0)] = 50
    split: bool = False
    v: int = 1  # as in `Do`


class LookBack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How well was each guess of a board chosen? `answer` is the word that was to be found, if that is known."""

    rows: tuple[Row, ...]
    answer: str | None = None
    v: int = 1  # as in `Do`


class Refusal(Struct, frozen=True, kw_only=True):
    """Why a solver does not take a board: a Reason and its facts."""

    refused: str
    facts: dict[str, Any] = {}

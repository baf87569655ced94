"""Moderation: what operators have done about players, and how things stand with these."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from msgspec import Struct
from psycopg import AsyncCursor

from libs.core.facts import Fact, Moderated
from libs.core.messages import PlayerId
from services.game.projections.shape import Projection, Told, Unfoldable
from services.game.rows import Table


class Player(Struct, kw_only=True):
    """A row of moderation.players."""

    person: UUID
    player: PlayerId
    muted: bool = False
    muted_until: datetime | None = None
    closed: bool = False
    renamed_at: datetime | None = None


class Action(Struct, kw_only=True):
    """A row of moderation.actions."""

    seq: int
    person: UUID
    by: PlayerId
    at: datetime
    what: str
    why: str
    until: datetime | None
    in_game: UUID | None
    message: str | None
    upheld: bool | None
    version: int | None


PLAYERS: Table[Player] = Table("players", Player, key=["person"], game="person")
ACTIONS: Table[Action] = Table("actions", Action, key=["seq"], game="person")


class Moderation(Projection):
    """Rows of players about whom something was done, and of what was done."""

    name: ClassVar[str] = "moderation"
    tables: ClassVar[tuple[Table[Any], ...]] = (PLAYERS, ACTIONS)
    of_interest: ClassVar[frozenset[type[Fact]] | None] = frozenset({Moderated})

    def __init__(self) -> None:
        self.players: dict[UUID, Player] = {}
        self.actions: list[Action] = []

    async def load(self, cursor: AsyncCursor[Any], schema: str, batch: Iterable[Told]) -> None:
        """Read the players of these records."""
        if people := {told.game for told in batch}:
            self.players = {row.person: row for row in await PLAYERS.read(cursor, schema, people)}

    def take(self, told: Told) -> None:
        """Fold one record. Raises `Unfoldable`."""
        for at, fact in told.facts:
            if isinstance(fact, Moderated):
                if fact.player != str(told.game):
                    raise Unfoldable("the player is another one")
                self._change(self.players.setdefault(told.game, Player(person=told.game, player=fact.player)), at, fact)
                self.actions.append(_action(told, at, fact))

    def _change(self, player: Player, at: datetime, fact: Moderated) -> None:
        match fact.what:
            case "muted" | "unmuted":
                player.muted, player.muted_until = fact.what == "muted", fact.until
            case "closed" | "reopened":
                player.closed = fact.what == "closed"
            case "renamed":
                player.renamed_at = at
            case "report_decided" | "looked_up":
                pass

    def rows(self) -> Mapping[Table[Any], Collection[Any]]:
        """All players and actions."""
        return {PLAYERS: self.players.values(), ACTIONS: self.actions}

    async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
        """Write the players of the batch, and what was done."""
        await PLAYERS.write(cursor, schema, self.players.values())
        await ACTIONS.write(cursor, schema, self.actions)


def _action(told: Told, at: datetime, fact: Moderated) -> Action:
    return Action(
        seq=told.sequence,
        person=told.game,
        by=fact.by,
        at=at,
        what=fact.what,
        why=fact.why,
        until=fact.until,
        in_game=None if fact.in_game is None else _uuid(fact.in_game),
        message=fact.message,
        upheld=fact.upheld,
        version=fact.version,
    )


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Unfoldable("it names no game") from None

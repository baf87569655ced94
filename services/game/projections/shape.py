"""What a projection is, and what it is told."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg import AsyncCursor

from libs.core.facts import Fact
from libs.core.games import GAMES
from libs.core.history import UnknownKind, read
from libs.core.messages import Commit
from libs.runtime.log import Record
from services.game.rows import Table


class Unfoldable(Exception):
    """A record that makes no sense to a projection; says why, without a word of any player."""


class Told(Struct, frozen=True, kw_only=True):
    """One record in the words of the projections."""

    game: UUID
    kind: str
    sequence: int
    due: datetime | None
    facts: Sequence[tuple[datetime, Fact]]  # each with the instant of its event
    about: frozenset[type[Fact]]  # what kinds of facts these are


@lru_cache(2048)
def tell(record: Record) -> Told:
    """What this record of a game says; each projection asks soon after the other. Raises `Unfoldable` or `Newer`."""
    try:
        return told(record, read(record.kind, record.data))
    except UnknownKind:
        raise Unfoldable("a game of an unknown kind") from None
    except msgspec.DecodeError as error:  # names fields and tags, no values of players
        raise Unfoldable(f"not readable: {error}") from None


def told(record: Record, commit: Commit[Any]) -> Told:
    """What a record says that is read already. Raises `Unfoldable`."""
    try:
        game = msgspec.convert(record.game, UUID)  # a third of what the type's own constructor costs
    except msgspec.ValidationError:
        raise Unfoldable("the subject names no game") from None
    meaning = GAMES[record.kind].facts
    facts = [(event.at, fact) for event in commit.events for fact in meaning(event)]
    return Told(
        game=game,
        kind=record.kind,
        sequence=record.sequence,
        due=commit.due,
        facts=facts,
        about=frozenset(type(fact) for _, fact in facts),
    )


class Projection(ABC):
    """Rows of one schema while a batch of records is folded: load what the batch touches, take each record, save."""

    name: ClassVar[str]
    tables: ClassVar[tuple[Table[Any], ...]]
    of_interest: ClassVar[frozenset[type[Fact]] | None] = None
    """The facts that change its rows; none: all, and records without any too. Other records only move its position."""
    faults: ClassVar[Mapping[Table[Any], LiteralString]] = {}
    """What an auditor of one game cannot see: for each table with columns that hang on several games, a query of
    `{schema}` that answers with the live row and the right one (JSON) wherever they differ."""

    @classmethod
    def concerns(cls, told: Told) -> bool:
        """May this record change a row?"""
        return cls.of_interest is None or not cls.of_interest.isdisjoint(told.about)

    @abstractmethod
    async def load(self, cursor: AsyncCursor[Any], schema: str, batch: Iterable[Told]) -> None:
        """Read the rows that these records may change."""

    @abstractmethod
    def take(self, told: Told) -> None:
        """Fold one record into the rows. Raises `Unfoldable`; the rows are of no use then."""

    @abstractmethod
    def rows(self) -> Mapping[Table[Any], Collection[Any]]:
        """The rows of each table as they stand now, or what is to be added to those that add up."""

    @abstractmethod
    async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
        """Write the rows that have changed."""

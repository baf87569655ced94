"""The Daily: what is told of its days, who has done how well on them, and what has come of all days of a player."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, ClassVar, LiteralString
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.sql import SQL

from libs.core.facts import Announced, Fact, GuestJoined, Revealed, Solo
from libs.core.messages import PlayerId
from services.game.projections.daily_book import Book
from services.game.projections.daily_faults import FAULTS
from services.game.projections.daily_rows import COUNTS, DAYS, JOINED, RESULTS, STATISTICS, Day
from services.game.projections.joined import Joined
from services.game.projections.shape import Projection, Told, Unfoldable
from services.game.rows import Table

_FIRST = """
select first.* from unnest(%s::date[], %s::text[]) address (day, origin) cross join lateral (
    select * from {} r where r.day = address.day and r.origin = address.origin
        and finished and not member and origin <> ''
    order by finished_at, game limit %s
) first
"""
_EMPTY = "delete from {} where n = 0 and day = any(%s)"


class Daily(Projection):
    """Rows of days, and a book of as many results as these records touch."""

    name: ClassVar[str] = "daily"
    tables: ClassVar[tuple[Table[Any], ...]] = (DAYS, JOINED, RESULTS, COUNTS, STATISTICS)
    of_interest: ClassVar[frozenset[type[Fact]] | None] = frozenset({Announced, Revealed, Solo, GuestJoined})
    faults: ClassVar[Mapping[Table[Any], LiteralString]] = FAULTS

    def __init__(self) -> None:
        self.days: dict[UUID, Day] = {}
        self.book = Book()

    async def load(self, cursor: AsyncCursor[Any], schema: str, batch: Iterable[Told]) -> None:
        """Read the days of these records, and of the book what they need."""
        facts = [(told.game, fact) for told in batch for _, fact in told.facts]
        if days := {game for game, fact in facts if isinstance(fact, Revealed)}:
            self.days = {day.game: day for day in await DAYS.read(cursor, schema, days)}
        solos = [fact for _, fact in facts if isinstance(fact, Solo)]
        joins = [fact for _, fact in facts if isinstance(fact, GuestJoined)]
        if solos or joins:
            await _Loading(cursor, schema, self.book).load(solos, joins)

    def take(self, told: Told) -> None:
        """Fold one record. Raises `Unfoldable`."""
        for at, fact in told.facts:
            match fact:
                case Announced():
                    self.days[told.game] = Day(
                        day=fact.day, game=told.game, commitment=fact.commitment, announced_at=at
                    )
                case Revealed():
                    self._reveal(told, fact)
                case Solo():
                    self.book.end(told.game, fact)
                case GuestJoined():
                    self.book.join(Joined.of(told, fact))
                case _:
                    pass

    def _reveal(self, told: Told, revealed: Revealed) -> None:
        if told.game not in self.days:
            raise Unfoldable("the day was not announced")
        day = self.days[told.game]
        day.word, day.salt = revealed.word, revealed.salt

    def rows(self) -> Mapping[Table[Any], Collection[Any]]:
        """Days, guests and results, and what is to be added to counts."""
        self.book.settle()
        return {
            DAYS: self.days.values(),
            JOINED: self.book.joined.values(),
            RESULTS: self.book.results.values(),
            COUNTS: self.book.counts.values(),
            STATISTICS: self.book.statistics.values(),
        }

    async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
        """Write what the batch has changed; counts of nobody go."""
        book = self.book
        book.settle()
        await DAYS.write(cursor, schema, self.days.values())
        await JOINED.write(cursor, schema, book.joined.values())
        await RESULTS.write(cursor, schema, book.changed.values())
        await COUNTS.write(cursor, schema, book.counts.values())
        if fewer := {count.day for count in book.counts.values() if count.n <= 0}:
            await cursor.execute(SQL(_EMPTY).format(COUNTS.at(schema)), (list(fewer),))
        await STATISTICS.write(cursor, schema, book.statistics.values())
        await STATISTICS.remove(cursor, schema, book.gone, "player")


class _Loading:
    """Fills a book with what some ends and joinings need."""

    def __init__(self, cursor: AsyncCursor[Any], schema: str, book: Book) -> None:
        self._cursor = cursor
        self._schema = schema
        self._book = book

    async def load(self, solos: Sequence[Solo], joins: Sequence[GuestJoined]) -> None:
        """Read all that there is of who joins or is joined, and little of all others."""
        cursor, schema, book = self._cursor, self._schema, self._book
        guests = {fact.player for fact in solos} | {fact.guest for fact in joins}
        book.accounts = {one.guest: one.account for one in await JOINED.read(cursor, schema, guests, "guest")}
        joining = {player for fact in joins for player in (fact.guest, fact.account)}
        owners = joining | {book.accounts.get(fact.player, fact.player) for fact in solos}
        known = await STATISTICS.read(cursor, schema, owners, "player")
        book.statistics = {one.player: one for one in known}
        if whole := joining | self._late(solos):
            book.put(await RESULTS.read(cursor, schema, whole, "owner"))
        await self._load_addresses(solos, joins)

    def _late(self, solos: Iterable[Solo]) -> set[PlayerId]:
        """Whose results do not simply follow those before."""
        newest = {player: one.last_day for player, one in self._book.statistics.items()}
        late = set()
        for fact in solos:
            owner = self._book.accounts.get(fact.player, fact.player)
            before = newest.get(owner)
            if before is not None and fact.day <= before:
                late.add(owner)
            else:
                newest[owner] = fact.day
        return late

    async def _load_addresses(self, solos: Iterable[Solo], joins: Sequence[GuestJoined]) -> None:
        """Of each address, the guests who have finished first: as many as may join now, and one more."""
        addresses: set[tuple[date, str]] = {(fact.day, fact.origin) for fact in solos if fact.finished and fact.origin}
        addresses |= {(one.day, one.origin) for one in self._book.results.values() if one.shown and not one.member}
        if addresses:
            query = SQL(_FIRST).format(RESULTS.at(self._schema))
            days, origins = zip(*addresses, strict=True)
            asked = (list(days), list(origins), len(joins) + 1)
            self._book.put(await RESULTS.found(self._cursor, query, asked))

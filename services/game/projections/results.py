"""How did games end, and how do rivals stand against each other?"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import permutations
from typing import Any, ClassVar, LiteralString
from uuid import UUID

from psycopg import AsyncCursor
from psycopg.sql import SQL

from libs.core.facts import Began, Fact, GuestJoined, Over, Seated, Void
from libs.core.messages import PlayerId
from services.game.projections.joined import Joined
from services.game.projections.results_book import Book
from services.game.projections.results_faults import FAULTS
from services.game.projections.results_rows import JOINED, PLAYING, RESULTS, RIVALS, Playing, Result
from services.game.projections.shape import Projection, Told, Unfoldable
from services.game.rows import Table

_OF_GAMES: frozenset[type[Fact]] = frozenset({Seated, Began, Over, Void})
_OF_PAIRS = """
select r.* from unnest(%s::text[], %s::text[], %s::text[], %s::date[]) pair (owner, rival, kind, day)
join {} r using (owner, rival, kind, day)
"""


class Results(Projection):
    """Rows of games under way, and a book of results; of rivals only what these records add."""

    name: ClassVar[str] = "results"
    tables: ClassVar[tuple[Table[Any], ...]] = (JOINED, PLAYING, RESULTS, RIVALS)
    of_interest: ClassVar[frozenset[type[Fact]] | None] = _OF_GAMES | {GuestJoined}
    faults: ClassVar[Mapping[Table[Any], LiteralString]] = FAULTS

    def __init__(self) -> None:
        self.playing: dict[UUID, Playing] = {}
        self.book = Book()
        self._gone: set[UUID] = set()

    async def load(self, cursor: AsyncCursor[Any], schema: str, batch: Iterable[Told]) -> None:
        """Read the games under way of these records, and the results that stand beside what ends or is joined."""
        batch = list(batch)
        games = {told.game for told in batch if not _OF_GAMES.isdisjoint(told.about)}
        if games:
            self.playing = {row.game: row for row in await PLAYING.read(cursor, schema, games)}
        facts = [(told, fact) for told in batch for _, fact in told.facts]
        joins = [fact for _, fact in facts if isinstance(fact, GuestJoined)]
        ends = [(told, fact) for told, fact in facts if isinstance(fact, Over) and fact.scores]
        if joins or ends:
            days = {told.game: fact.day for told, fact in facts if isinstance(fact, Began)}
            await self._load_book(cursor, schema, joins, ends, days)

    async def _load_book(
        self,
        cursor: AsyncCursor[Any],
        schema: str,
        joins: Sequence[GuestJoined],
        ends: Sequence[tuple[Told, Over]],
        days: Mapping[UUID, date],
    ) -> None:
        """Read who has joined whom, the games of who joins, and all games of the same pairs and days."""
        guests = {fact.guest for fact in joins}
        if guests:
            own = await RESULTS.read(cursor, schema, guests, "player")
            self.book.put(await RESULTS.read(cursor, schema, {result.game for result in own}))
        results = [result for results in self.book.games.values() for result in results]
        players = {score.player for _, over in ends for score in over.scores} | {result.player for result in results}
        known = await JOINED.read(cursor, schema, players | guests, "guest")
        self.book.accounts = {one.guest: one.account for one in known}
        owners = self.book.accounts | {fact.guest: fact.account for fact in joins}
        games: list[tuple[str, date | None, Sequence[PlayerId]]] = [
            (one.kind, one.day, (one.player, one.opponent)) for one in results if one.opponent is not None
        ]
        for told, over in ends:
            before = self.playing.get(told.game)
            day = days.get(told.game) or (before.day if before else None)
            games.append((told.kind, day, [score.player for score in over.scores]))
        pairs = {
            (one, other, kind, day)
            for kind, day, sides in games
            for one, other in permutations([owners.get(player, player) for player in sides], 2)
        }
        if pairs:
            query = SQL(_OF_PAIRS).format(RESULTS.at(schema))
            self.book.put(await RESULTS.found(cursor, query, [list(column) for column in zip(*pairs, strict=True)]))

    def take(self, told: Told) -> None:
        """Fold one record. Raises `Unfoldable`."""
        for at, fact in told.facts:
            self._take(told, at, fact)

    def _take(self, told: Told, at: datetime, fact: Fact) -> None:
        match fact:
            case Seated():
                seats = Playing(game=told.game, kind=told.kind, players=[], guests=[])
                game = self.playing.setdefault(told.game, seats)
                game.players.append(fact.player)
                game.guests.append(fact.guest)
            case Began():
                self._begin(self._playing(told), fact)
            case Over():
                self._end(self._playing(told), at, fact)
            case Void():
                self._forget(told.game)
            case GuestJoined():
                self.book.join(Joined.of(told, fact))
            case _:
                pass

    def _begin(self, game: Playing, began: Began) -> None:
        game.day, game.rivals = began.day, began.rivals
        if game.rivals:
            self.book.begin(game)

    def _end(self, game: Playing, at: datetime, over: Over) -> None:
        guests: dict[PlayerId, bool] = dict(zip(game.players, game.guests, strict=True))
        self.book.end(
            [
                Result(
                    game=game.game,
                    player=score.player,
                    guest=guests.get(score.player, True),
                    opponent=_opponent(game, score.player),
                    kind=game.kind,
                    day=game.day,
                    ended_at=at,
                    outcome=score.outcome,
                    guesses=score.guesses,
                    solved=score.solved,
                    counted=score.outcome != "not_counted",
                    rivals=game.rivals,
                    owner=score.player,
                )
                for score in over.scores
            ]
        )
        self._forget(game.game)

    def _playing(self, told: Told) -> Playing:
        if told.game not in self.playing:
            raise Unfoldable("the game was never begun, or has ended")
        return self.playing[told.game]

    def _forget(self, game: UUID) -> None:
        self.playing.pop(game, None)
        self._gone.add(game)

    def rows(self) -> Mapping[Table[Any], Collection[Any]]:
        """Who has joined, games under way, results, and what is added to rivals."""
        return {
            JOINED: self.book.joined.values(),
            PLAYING: self.playing.values(),
            RESULTS: [result for results in self.book.games.values() for result in results],
            RIVALS: self.book.rivals.values(),
        }

    async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
        """Write what the batch has changed."""
        await JOINED.write(cursor, schema, self.book.joined.values())
        await PLAYING.write(cursor, schema, self.playing.values())
        await PLAYING.remove(cursor, schema, self._gone)
        await RESULTS.write(cursor, schema, self.book.changed.values())
        await RIVALS.write(cursor, schema, self.book.rivals.values())


def _opponent(game: Playing, player: PlayerId) -> PlayerId | None:
    others = [other for other in game.players if other != player]
    return others[0] if len(others) == 1 else None

"""Which games are there, who sits at them, how far are they?"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any, ClassVar, Literal
from uuid import UUID

from msgspec import Struct
from psycopg import AsyncCursor

from libs.core.facts import Began, Fact, Made, Moved, Over, Seated, SecretSet, Void
from libs.core.messages import PlayerId
from services.game.projections.shape import Projection, Told, Unfoldable
from services.game.rows import Table


class Game(Struct, kw_only=True):
    """A row of games.games."""

    id: UUID
    kind: str
    state: Literal["invited", "waiting", "playing", "over", "void"]
    maker: PlayerId
    day: date | None = None
    closes_at: datetime | None = None
    expires_at: datetime | None = None
    due: datetime | None = None
    version: int = 0
    seq: int = 0
    made_at: datetime
    began_at: datetime | None = None
    ended_at: datetime | None = None


class Seat(Struct, kw_only=True):
    """A row of games.seats."""

    game: UUID
    seat: int
    player: PlayerId
    guest: bool
    secret_set: bool = False
    guesses: int = 0
    solved: bool = False
    finished: bool = False


GAMES: Table[Game] = Table("games", Game, key=["id"], game="id")
SEATS: Table[Seat] = Table("seats", Seat, key=["game", "seat"], game="game")

_OF_INTEREST = (Made, Seated, SecretSet, Began, Moved, Over, Void)


class Games(Projection):
    """Rows of games and seats; a whole game is loaded with its seats."""

    name: ClassVar[str] = "games"
    tables: ClassVar[tuple[Table[Any], ...]] = (GAMES, SEATS)

    def __init__(self) -> None:
        self.games: dict[UUID, Game] = {}
        self.seats: dict[tuple[UUID, PlayerId], Seat] = {}
        self._changed: dict[tuple[UUID, PlayerId], Seat] = {}

    async def load(self, cursor: AsyncCursor[Any], schema: str, batch: Iterable[Told]) -> None:
        """Read the games of these records and their seats."""
        ids = {told.game for told in batch}
        if ids:
            self.games = {game.id: game for game in await GAMES.read(cursor, schema, ids)}
            self.seats = {(seat.game, seat.player): seat for seat in await SEATS.read(cursor, schema, ids)}

    def take(self, told: Told) -> None:
        """Fold one record into its game; of a day, which is no game, nothing is kept here. Raises `Unfoldable`."""
        if told.facts and not any(isinstance(fact, _OF_INTEREST) for _, fact in told.facts):
            return
        for at, fact in told.facts:
            self._take(told, at, fact)
        game = self._game(told)
        game.version += 1
        game.seq = told.sequence
        game.due = told.due

    def _take(self, told: Told, at: datetime, fact: Fact) -> None:
        match fact:
            case Made():
                self._make(told, at, fact)
            case Seated():
                seat = Seat(game=told.game, seat=fact.seat, player=fact.player, guest=fact.guest)
                self.seats[told.game, fact.player] = self._changed[told.game, fact.player] = seat
            case SecretSet():
                self._seat(told, fact.player).secret_set = True
                if (game := self._game(told)).state == "waiting":
                    game.state = "playing"
            case Began():
                game = self._game(told)
                game.began_at, game.day, game.closes_at = at, fact.day, fact.closes_at
                game.state = "waiting" if self._waits(told) else "playing"
            case Moved():
                seat = self._seat(told, fact.player)
                seat.guesses, seat.solved, seat.finished = fact.number, fact.solved, fact.finished
            case Over():
                game = self._game(told)
                game.state, game.ended_at = "over", at
            case Void():
                game = self._game(told)
                game.state, game.ended_at = "void", at
            case _:
                pass

    def _make(self, told: Told, at: datetime, made: Made) -> None:
        if told.game in self.games:
            raise Unfoldable("the game was made twice")
        self.games[told.game] = Game(
            id=told.game,
            kind=told.kind,
            state="invited" if made.expires_at else "playing",
            maker=made.maker,
            expires_at=made.expires_at,
            made_at=at,
        )

    def _game(self, told: Told) -> Game:
        if told.game not in self.games:
            raise Unfoldable("the game was never made")
        return self.games[told.game]

    def _waits(self, told: Told) -> bool:
        """Has one of the players set a secret, and not the other?"""
        players = {fact.player for _, fact in told.facts if isinstance(fact, Seated)} | {self._game(told).maker}
        return len({self._seat(told, player).secret_set for player in players}) > 1

    def _seat(self, told: Told, player: PlayerId) -> Seat:
        key = told.game, player
        if key not in self.seats:
            raise Unfoldable("the player has no seat")
        self._changed[key] = self.seats[key]
        return self.seats[key]

    def rows(self) -> Mapping[Table[Any], Collection[Any]]:
        """All games and seats."""
        return {GAMES: self.games.values(), SEATS: self.seats.values()}

    async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
        """Write all games of the batch, and the seats that have changed."""
        await GAMES.write(cursor, schema, self.games.values())
        await SEATS.write(cursor, schema, self._changed.values())

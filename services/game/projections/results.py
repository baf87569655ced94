"""How did games end, and how do rivals stand against each other?"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID

from msgspec import Struct
from psycopg import AsyncCursor

from libs.core.facts import Began, Fact, Outcome, Over, Seated, Void
from libs.core.messages import PlayerId
from services.game.projections.shape import Projection, Told, Unfoldable
from services.game.rows import Sums, Table


class Playing(Struct, kw_only=True):
    """A row of results.playing."""

    game: UUID
    kind: str
    players: list[PlayerId]
    day: date | None = None
    rivals: bool = False


class Result(Struct, kw_only=True):
    """A row of results.results."""

    game: UUID
    player: PlayerId
    opponent: PlayerId | None
    kind: str
    day: date | None
    ended_at: datetime
    outcome: Outcome
    guesses: int
    solved: bool
    counted: bool


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
    """Both together. A pair has one game a day, so the last one is the one of the last day."""
    last = one if one.last_day > other.last_day else other
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


PLAYING: Table[Playing] = Table("playing", Playing, key=["game"], game="game")
RESULTS: Table[Result] = Table("results", Result, key=["game", "player"], game="game")
RIVALS: Sums[Rivals] = Sums(
    "rivals",
    Rivals,
    key=["player", "rival", "kind"],
    game="last_game",
    plus=_plus,
    changes={
        "wins": "old.wins + excluded.wins",
        "losses": "old.losses + excluded.losses",
        "draws": "old.draws + excluded.draws",
        "played": "old.played + excluded.played",
        "last_game": "case when old.last_day > excluded.last_day then old.last_game else excluded.last_game end",
        "last_day": "greatest(old.last_day, excluded.last_day)",
    },
)

_OF_INTEREST = (Seated, Began, Over, Void)


class Results(Projection):
    """Rows of games under way and results; of rivals only what these records add."""

    name: ClassVar[str] = "results"
    tables: ClassVar[tuple[Table[Any], ...]] = (PLAYING, RESULTS, RIVALS)

    def __init__(self) -> None:
        self.playing: dict[UUID, Playing] = {}
        self.results: dict[tuple[UUID, PlayerId], Result] = {}
        self.rivals: dict[tuple[Any, ...], Rivals] = {}
        self._gone: set[UUID] = set()

    async def load(self, cursor: AsyncCursor[Any], schema: str, batch: Iterable[Told]) -> None:
        """Read the games under way of these records."""
        games = {told.game for told in batch if any(isinstance(fact, _OF_INTEREST) for _, fact in told.facts)}
        if games:
            self.playing = {row.game: row for row in await PLAYING.read(cursor, schema, games)}

    def take(self, told: Told) -> None:
        """Fold one record. Raises `Unfoldable`."""
        for at, fact in told.facts:
            self._take(told, at, fact)

    def _take(self, told: Told, at: datetime, fact: Fact) -> None:
        match fact:
            case Seated():
                game = self.playing.setdefault(told.game, Playing(game=told.game, kind=told.kind, players=[]))
                game.players.append(fact.player)
            case Began():
                self._begin(self._playing(told), fact)
            case Over():
                self._end(self._playing(told), at, fact)
            case Void():
                self._forget(told.game)
            case _:
                pass

    def _begin(self, game: Playing, began: Began) -> None:
        game.day, game.rivals = began.day, began.rivals
        if game.rivals:
            for player in game.players:
                self._add(game, player)

    def _end(self, game: Playing, at: datetime, over: Over) -> None:
        for score in over.scores:
            counted = score.outcome != "not_counted"
            self.results[game.game, score.player] = Result(
                game=game.game,
                player=score.player,
                opponent=_opponent(game, score.player),
                kind=game.kind,
                day=game.day,
                ended_at=at,
                outcome=score.outcome,
                guesses=score.guesses,
                solved=score.solved,
                counted=counted,
            )
            if game.rivals and counted:
                self._add(game, score.player, score.outcome)
        self._forget(game.game)

    def _add(self, game: Playing, player: PlayerId, outcome: Outcome | None = None) -> None:
        """Add to this player's side of the pair that plays this game: that they play, or how it ended."""
        rival = _opponent(game, player)
        if rival is None or game.day is None:
            raise Unfoldable("rivals without a pair or a day")
        row = Rivals(
            player=player,
            rival=rival,
            kind=game.kind,
            wins=int(outcome == "win"),
            losses=int(outcome == "loss"),
            draws=int(outcome == "draw"),
            played=int(outcome is not None),
            last_game=game.game,
            last_day=game.day,
        )
        RIVALS.add(self.rivals, row)

    def _playing(self, told: Told) -> Playing:
        if told.game not in self.playing:
            raise Unfoldable("the game was never begun, or has ended")
        return self.playing[told.game]

    def _forget(self, game: UUID) -> None:
        self.playing.pop(game, None)
        self._gone.add(game)

    def rows(self) -> Mapping[Table[Any], Collection[Any]]:
        """Games under way, results, and what is added to rivals."""
        return {
            PLAYING: self.playing.values(),
            RESULTS: self.results.values(),
            RIVALS: self.rivals.values(),
        }

    async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
        """Write what the batch has changed."""
        await PLAYING.write(cursor, schema, self.playing.values())
        await PLAYING.remove(cursor, schema, self._gone)
        await RESULTS.write(cursor, schema, self.results.values())
        await RIVALS.write(cursor, schema, self.rivals.values())


def _opponent(game: Playing, player: PlayerId) -> PlayerId | None:
    others = [other for other in game.players if other != player]
    return others[0] if len(others) == 1 else None

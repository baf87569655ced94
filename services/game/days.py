"""What was told of the days of the Daily, against what was played on them: a word that nobody was promised is found."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from libs.core.facts import Announced, Drawn, Revealed
from libs.core.messages import GameId
from services.game.projections.shape import Told

NAMED = 100  # attempts with the same wrong word


class _Draw(NamedTuple):
    day: date
    word: str
    commitment: str


class Days:
    """All days that were met on a walk through the log."""

    def __init__(self) -> None:
        self._announced: dict[date, str] = {}
        self._revealed: dict[date, str] = {}
        self._games: dict[_Draw, list[GameId]] = {}
        self._count: Counter[_Draw] = Counter()

    def take(self, game: GameId, told: Told) -> None:
        """One more record of this game."""
        for _, fact in told.facts:
            match fact:
                case Announced():
                    self._announced[fact.day] = fact.commitment
                case Revealed():
                    self._revealed[fact.day] = fact.word
                case Drawn():
                    self._draw(_Draw(fact.day, fact.word, fact.commitment), game)
                case _:
                    pass

    def _draw(self, draw: _Draw, game: GameId) -> None:
        self._count[draw] += 1
        named = self._games.setdefault(draw, [])
        if len(named) < NAMED:
            named.append(game)

    def problems(self) -> Iterable[tuple[GameId, str]]:
        """Attempts that were played for another word than their day's, each with what is wrong; not all if many are."""
        for draw, games in self._games.items():
            for problem in self._problems(draw):
                more = self._count[draw] - len(games)
                for game in games:
                    yield game, problem + (f" (like {more} more that are not named)" if more else "")

    def _problems(self, draw: _Draw) -> Iterable[str]:
        if self._announced.get(draw.day, draw.commitment) != draw.commitment:
            yield "it was played for another commitment than the one that was published for its day"
        if self._revealed.get(draw.day, draw.word) != draw.word:
            yield "it was played for another word than the one that was revealed for its day"

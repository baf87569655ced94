"""Results of games in memory: whose they are now, and which of them are in a record against a rival.

What comes of it is the same in whichever order games end and guests join. Of several games of a pair and day, only
guests who have joined since can have played more than one: what two accounts have played is recorded, else what ended
first.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any, TypeAlias
from uuid import UUID

from libs.core.messages import PlayerId
from services.game.projections.joined import Joined
from services.game.projections.results_rows import RIVALS, Playing, Result, Rivals
from services.game.projections.shape import Unfoldable

Pair: TypeAlias = tuple[PlayerId, PlayerId, str, date | None]
"""An account, its rival, a kind of game and a day."""


class Book:
    """As many results as have been put in, and what has become of them since."""

    def __init__(self) -> None:
        self.accounts: dict[PlayerId, PlayerId] = {}  # of guests who have joined one
        self.games: dict[UUID, list[Result]] = {}
        self.joined: dict[PlayerId, Joined] = {}  # since
        self.changed: dict[tuple[UUID, PlayerId], Result] = {}
        self.rivals: dict[tuple[Any, ...], Rivals] = {}  # what is to be added
        self._pairs: dict[Pair, list[Result]] = defaultdict(list)

    def put(self, results: Iterable[Result]) -> None:
        """Put in both sides of games that are known already, some perhaps twice.

        Needed are all games of whoever joins, and of the days of these and of games that end all of the same pair.
        """
        for result in results:
            sides = self.games.setdefault(result.game, [])
            if any(side.player == result.player for side in sides):
                continue
            sides.append(result)
            if result.rival is not None:
                self._pairs[_pair(result)].append(result)

    def begin(self, game: Playing) -> None:
        """Two accounts have begun a game: they are rivals from now on. Raises `Unfoldable`."""
        if len(game.players) != 2 or game.day is None:
            raise Unfoldable("rivals without a pair or a day")
        one, other = game.players
        for player, rival in ((one, other), (other, one)):
            self._add(player, rival, game.kind, game.game, game.day)

    def end(self, results: list[Result]) -> None:
        """A game has ended with these results, one for each side."""
        for result in results:
            self.games.setdefault(result.game, []).append(result)
            self.changed[result.game, result.player] = result
        self._know(results)

    def join(self, joined: Joined) -> None:
        """A guest is a part of an account. Raises `Unfoldable` if it is a part of another one."""
        if self.accounts.setdefault(joined.guest, joined.account) != joined.account:
            raise Unfoldable("the guest has joined another account")
        self.joined[joined.guest] = joined
        for results in self.games.values():
            if any(result.player == joined.guest for result in results):
                self._know(results)

    def _know(self, results: list[Result]) -> None:
        """See whose these results of one game are now, and who are rivals by it."""
        owners = {result.player: self.accounts.get(result.player, result.player) for result in results}
        known = all(not result.guest or result.player in self.accounts for result in results)
        rivals = known and len(results) == len(set(owners.values())) == 2
        for result in results:
            owner = owners[result.player]
            rival = owners.get(result.opponent or "") if rivals else None
            if (owner, rival) != (result.owner, result.rival):
                result.owner, result.rival = owner, rival
                self.changed[result.game, result.player] = result
                if rival is not None and result.day is not None:
                    self._pairs[_pair(result)].append(result)
                    self._add(owner, rival, result.kind, result.game, result.day)
                    self._choose(_pair(result))

    def _choose(self, pair: Pair) -> None:
        """Let one of the pair's games of the day be recorded."""
        results = [result for result in self._pairs[pair] if result.counted]
        first = min(results, key=lambda one: (not one.rivals, one.ended_at, one.game), default=None)
        for result in results:
            if result.recorded != (result is first):
                result.recorded = result is first
                self.changed[result.game, result.player] = result
                self._record(result, 1 if result.recorded else -1)

    def _record(self, result: Result, n: int) -> None:
        if result.rival is not None and result.day is not None:
            self._add(result.owner, result.rival, result.kind, result.game, result.day, n, result.outcome)

    def _add(
        self, player: PlayerId, rival: PlayerId, kind: str, game: UUID, day: date, n: int = 0, outcome: str = ""
    ) -> None:
        """Add to this player's side of a pair that it has played a game, and `n` to the record."""
        row = Rivals(
            player=player,
            rival=rival,
            kind=kind,
            wins=n * (outcome == "win"),
            losses=n * (outcome == "loss"),
            draws=n * (outcome == "draw"),
            played=n,
            last_game=game,
            last_day=day,
        )
        RIVALS.add(self.rivals, row)


def _pair(result: Result) -> Pair:
    return result.owner, result.rival or "", result.kind, result.day

"""Results of the Daily in memory: whose they are, which of them count, and what is counted from them.

What comes of it is the same in whichever order attempts end and guests join:

- a guest who has joined an account has their results there. Of several of one day the account's own counts, else what
  was finished first;
- guests who have joined none are shown once for each network address and day: who has finished first.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any
from uuid import UUID

from libs.core.daily_scores import FAILED, buckets
from libs.core.facts import Solo
from libs.core.messages import PlayerId
from services.game.projections.daily_rows import COUNTS, Count, Result, Statistics
from services.game.projections.joined import Joined
from services.game.projections.shape import Unfoldable


class Book:
    """As much of all results as has been put in, and what has become of it since."""

    def __init__(self) -> None:
        self.accounts: dict[PlayerId, PlayerId] = {}  # of guests who have joined one
        self.results: dict[UUID, Result] = {}
        self.statistics: dict[PlayerId, Statistics] = {}
        self.joined: dict[PlayerId, Joined] = {}  # since
        self.changed: dict[UUID, Result] = {}
        self.counts: dict[tuple[Any, ...], Count] = {}  # what is to be added
        self.gone: set[PlayerId] = set()  # who has no statistics any more
        self._days: dict[PlayerId, dict[date, list[Result]]] = defaultdict(lambda: defaultdict(list))
        self._origins: dict[tuple[date, str], list[Result]] = defaultdict(list)
        self._anew: set[PlayerId] = set()  # whose statistics are to be counted from the first day

    def put(self, results: Iterable[Result]) -> None:
        """Put in results that are known already, some perhaps twice.

        Needed are all of whoever joins, and of whoever has a result that is not the newest; and of the guests of an
        address as many of the first as join in one go, and one more.
        """
        for result in results:
            if result.game not in self.results:
                self._put(result)

    def _put(self, result: Result) -> None:
        self.results[result.game] = result
        self._days[result.owner][result.day].append(result)
        if _competes(result):
            self._origins[result.day, result.origin].append(result)

    def end(self, game: UUID, solo: Solo) -> None:
        """An attempt has ended. Raises `Unfoldable` if it has ended before."""
        if game in self.results:
            raise Unfoldable("the attempt ended twice")
        owner = self.accounts.get(solo.player, solo.player)
        result = Result(
            game=game,
            day=solo.day,
            player=solo.player,
            guest=solo.guest,
            origin=solo.origin,
            guesses=solo.guesses,
            solved=solo.solved,
            finished=solo.finished,
            elapsed_ms=None if solo.elapsed_us is None else solo.elapsed_us // 1000,
            finished_at=solo.finished_at,
            owner=owner,
            member=not solo.guest or solo.player in self.accounts,
        )
        self.changed[game] = result
        self._put(result)
        self._choose(owner, solo.day)
        statistics = self.statistics.setdefault(owner, Statistics(player=owner))
        if owner not in self._anew and statistics.follows(solo.day):
            _add(statistics, result)
        else:
            self._anew.add(owner)

    def join(self, joined: Joined) -> None:
        """A guest is a part of an account. Raises `Unfoldable` if it is a part of another one."""
        guest, account = joined.guest, joined.account
        if self.accounts.setdefault(guest, account) != account:
            raise Unfoldable("the guest has joined another account")
        self.joined[guest] = joined
        self._anew.add(account)
        for day, results in self._days.pop(guest, {}).items():
            for result in results:
                self._set(result, owner=account, member=True)
                self._days[account][day].append(result)
                self._choose_of_origin(day, result.origin)
            self._choose(account, day)
        if guest != account and guest in self.statistics:
            del self.statistics[guest]
            self.gone.add(guest)

    def _choose(self, owner: PlayerId, day: date) -> None:
        """Let one of the owner's results of the day count, and be shown."""
        results = self._days[owner][day]
        first = min(results, key=lambda one: (one.player != one.owner, one.finished_at, one.game))
        for result in results:
            if _competes(result):
                self._set(result, counted=True)  # a guest has no other
                self._choose_of_origin(day, result.origin)
            else:
                counted = result is first
                self._set(result, counted=counted, shown=counted and result.finished)

    def _choose_of_origin(self, day: date, origin: str) -> None:
        """Let one of the guests of an address be shown."""
        results = [one for one in self._origins.get((day, origin), ()) if _competes(one)]
        first = min(results, key=lambda one: (one.finished_at, one.game), default=None)
        for result in results:
            self._set(result, shown=result is first)

    def _set(self, result: Result, **values: Any) -> None:
        if all(getattr(result, name) == value for name, value in values.items()):
            return
        if result.shown:
            self._tally(result, -1)
        for name, value in values.items():
            setattr(result, name, value)
        if result.shown:
            self._tally(result, 1)
        self.changed[result.game] = result

    def _tally(self, result: Result, n: int) -> None:
        guesses = result.guesses if result.solved else FAILED
        members = n if result.member else 0
        for width, bucket in buckets(guesses, result.elapsed_ms):
            COUNTS.add(
                self.counts,
                Count(day=result.day, guesses=guesses, width=width, bucket=bucket, n=n, members=members),
            )

    def settle(self) -> None:
        """Bring the statistics up to date of those whose results did not simply follow each other."""
        for owner in self._anew:
            days = self._days[owner]
            if days:
                self.statistics[owner] = statistics = Statistics(player=owner)
                for day in sorted(days):
                    _add(statistics, next(one for one in days[day] if one.counted))
        self._anew.clear()


def _competes(result: Result) -> bool:
    """Is it one of which each address has only one shown?"""
    return result.finished and not result.member and bool(result.origin)


def _add(statistics: Statistics, result: Result) -> None:
    statistics.add(result.day, result.guesses, solved=result.solved, finished=result.finished)

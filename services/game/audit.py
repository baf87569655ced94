"""Proving that games went by the rules: from the log alone, and against the tables."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

import msgspec
from msgspec import Struct

from libs.core import subjects
from libs.core.daily import day_id
from libs.core.facts import Drawn, Over, Void
from libs.core.messages import GameId
from libs.runtime.log import Damaged, Log, Record
from services.game import claims
from services.game.days import Days
from services.game.examine import Examined, Read, examine, read
from services.game.projections.shape import Unfoldable
from services.game.snapshot import Snapshot

PAGE = 500  # games that are compared with the tables at a time
BATCH = 1000  # records
ENDS = frozenset((Over, Void))

Progress: TypeAlias = Callable[[int, int, int], None]
"""Told the sequence that is reached, the last one, and how many events there have been."""


class Report(Struct, kw_only=True):
    """What an audit of the whole log has found."""

    records: int = 0
    events: int = 0
    games: int = 0
    problems: dict[GameId, list[str]]  # of games in which something is wrong
    rest: list[str]  # what is wrong and belongs to no game
    behind: dict[str, int]  # records that a projection had not folded yet; no fault


async def audit_game(games: Log, tables: Snapshot, game: GameId) -> Examined:
    """One game, with all that is wrong with it; without a history if there is no such game. Raises `Unread`."""
    try:
        examined = _examine(game, await games.load(game))
    except Damaged as damaged:
        return Examined(game=game, history=[], problems=[_of_archive(damaged)], claims=[])
    for subject in examined.claims:
        holder = await games.claim(subject)
        examined.problems.extend(_of_claim(game, None if holder is None else claims.read(holder).game))
    examined.problems.extend((await tables.compare([examined]))[game])
    examined.problems.extend(await _of_days(games, examined))
    return examined


async def _of_days(games: Log, examined: Examined) -> list[str]:
    """Whether it was played for the word that was promised for its day. Raises `Unread`."""
    days = Days()
    drawn = {fact.day for one in examined.history for _, fact in one.told.facts if isinstance(fact, Drawn)}
    for id_ in (examined.game, *map(day_id, drawn)):
        for record in await games.load(id_):
            with suppress(Unfoldable):
                days.take(id_, read(record).told)
    return [problem for _, problem in days.problems()]


async def audit_all(games: Log, tables: Snapshot, progress: Progress) -> Report:
    """Every game in the log and every row of the tables. Raises `Unread` or `psycopg.Error`."""
    end = await games.last_sequence()
    audit = _Audit(games, tables)
    for name, position in tables.positions.items():
        audit.report.behind[name] = max(0, end - position)
        if position > end:
            audit.report.rest.append(f"{name} has folded {position - end} records that are not in the log")
    if end:
        async for records in games.whole(1, end, BATCH, audit.damaged):
            for record in records:
                audit.take(record)
            await audit.settle(PAGE)
            progress(records[-1].sequence, end, audit.report.events)
    return await audit.finish(end)


class _Audit:
    """A walk through the log: a game is looked at as soon as it has ended, so that few are held at a time."""

    def __init__(self, games: Log, tables: Snapshot) -> None:
        self.report = Report(problems={}, rest=[], behind={})
        self._games = games
        self._tables = tables
        self._open: dict[GameId, list[Read]] = {}
        self._unread: dict[GameId, list[str]] = {}
        self._ended: list[Examined] = []
        self._done: set[GameId] = set()
        self._again: set[GameId] = set()  # something came after the end
        self._days = Days()
        self._holders: dict[str, GameId] = {}
        self._claims: list[tuple[GameId, str]] = []
        self._last = 0  # the newest sequence that was there

    def damaged(self, damaged: Damaged) -> None:
        """A game that the archive cannot give."""
        self._note(damaged.game, [_of_archive(damaged)])

    def take(self, record: Record) -> None:
        """One more record of the log."""
        if record.sequence > self._last + 1:
            self.report.rest.append(_missing(self._last + 1, record.sequence - 1))
        self._last = record.sequence
        self.report.records += 1
        game = record.game
        if record.kind == subjects.CLAIM:
            self._claimed(record)
            return
        if game in self._done:
            self._again.add(game)
            return
        history = self._open.setdefault(game, [])
        try:
            said = read(record)
        except Unfoldable as error:
            self._unread.setdefault(game, []).append(_unreadable(record, error))
            return
        history.append(said)
        self._days.take(game, said.told)
        self.report.events += len(said.commit.events)
        if not said.told.about.isdisjoint(ENDS):
            self._end(game)

    def _claimed(self, record: Record) -> None:
        try:
            self._holders[record.subject] = claims.read(record.data).game
        except msgspec.DecodeError as error:
            self.report.rest.append(f"record {record.sequence} of the log: a claim that is not readable: {error}")

    def _end(self, game: GameId) -> None:
        examined = examine(game, self._open.pop(game), self._unread.pop(game, ()))
        self._done.add(game)
        self._ended.append(examined)
        self._claims += [(game, subject) for subject in examined.claims]

    async def settle(self, least: int) -> None:
        """Compare the games that have ended with the tables, if they are so many."""
        while self._ended and len(self._ended) >= least:
            page, self._ended = self._ended[:PAGE], self._ended[PAGE:]
            found = await self._tables.compare(page)
            for one in page:
                self._note(one.game, [*one.problems, *found[one.game]])

    def _note(self, game: GameId, problems: Sequence[str]) -> None:
        if problems:
            self.report.problems.setdefault(game, []).extend(problems)

    async def finish(self, end: int) -> Report:
        """Look at the games that have not ended, and at what can be said only of all."""
        for game in list(self._open):
            self._end(game)
        await self.settle(1)
        for game in self._again:
            records = [record for record in await self._games.load(game) if record.sequence <= end]
            known = self.report.problems.get(game, [])
            self._note(game, [problem for problem in _examine(game, records).problems if problem not in known])
        for game, subject in self._claims:
            self._note(game, _of_claim(game, self._holders.get(subject)))
        for game, problem in self._days.problems():
            self._note(game, [problem])
        self.report.games = len(self._done)
        self.report.rest += await self._tables.rest()
        return self.report


def _examine(game: GameId, records: Sequence[Record]) -> Examined:
    history, unread = [], []
    for record in records:
        try:
            history.append(read(record))
        except Unfoldable as error:
            unread.append(_unreadable(record, error))
    return examine(game, history, unread)


def _of_archive(damaged: Damaged) -> str:
    return f"its row in the archive is damaged: {damaged.how}"


def _missing(first: int, last: int) -> str:
    which = f"record {first} is" if first == last else f"records {first} to {last} are"
    return f"{which} neither in the stream nor in the archive"


def _unreadable(record: Record, error: Unfoldable) -> str:
    return f"record {record.sequence} of the log: {error}"


def _of_claim(game: GameId, holder: GameId | None) -> list[str]:
    if holder is None:
        return ["it has not claimed what it must have for itself alone"]
    return [] if holder == game else [f"game {holder} has claimed what it must have for itself alone"]

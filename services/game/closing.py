"""Waking many games at once: each decides for itself, and what they have decided is stored together."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import TypeVar

import msgspec
import structlog
from msgspec.structs import replace

from libs.core import subjects
from libs.core.calls import Wake
from libs.core.messages import GameId
from libs.runtime import ids
from libs.runtime.log import Conflict, Down, Log, Next, Unknown, Unread
from libs.runtime.metrics import APPEND, COMMANDS, CONFLICTS
from services.game.asking import Question
from services.game.handle import Decided, Handler, decide
from services.game.store import Folded, Store

AT_ONCE = 12
"""So many requests in work: the games of some decide while those of others are stored."""
TOGETHER = 260  # records that are stored at once, unless one request has more: those of players wait so long
BREATH = 0.1  # seconds at most that the log is left to players after each time, if they play,
SHARE = 0.5  # of what that took
READ_AT_ONCE = 32
CHUNK = 16  # games that are unpacked, or decide, before somebody else has a turn
FEW = 8
"""While more calls of players than these are in work, closing waits,"""
PATIENCE = 0.05  # seconds at most for each request,
PAUSE = 0.005  # looking again after so many seconds.
LULL = 0.5  # seconds after the last request before what can wait goes on

log = structlog.get_logger()

_encode = msgspec.json.Encoder().encode

Item = TypeVar("Item")


class Closer:
    """Takes what the clock says to many games."""

    def __init__(
        self, games: Log, store: Store, handler: Handler, playing: Callable[[], int], daily_key: bytes = b""
    ) -> None:
        """`playing` answers with how many calls of players are in work."""
        self._games = games
        self._store = store
        self._handler = handler
        self._playing = playing
        self._daily_key = daily_key
        self._room = asyncio.Semaphore(AT_ONCE)
        self._waiting: deque[tuple[Sequence[Decided], asyncio.Future[set[GameId]]]] = deque()
        self._storing: asyncio.Task[None] | None = None
        self._last = 0.0  # when there was something to close

    async def wake(self, games: Sequence[GameId], kind: str, now: datetime) -> Sequence[GameId]:
        """Let these games of one kind decide whether it is time; answers with those to be woken one by one.

        These are: in use at this moment, not known well enough, or not to be stored just now.
        """
        async with self._room:
            self._last = time.monotonic()
            await self._let_play()
            began = time.perf_counter()
            async with AsyncExitStack() as held:
                free = [game for game in dict.fromkeys(games) if not self._handler.lock(game).locked()]
                for game in free:
                    await held.enter_async_context(self._handler.lock(game))
                done = await self._wake(free, kind, now)
            left = [game for game in games if game not in done]
            self._last = time.monotonic()
        took = round((time.perf_counter() - began) * 1000, 1)
        log.info("woken", kind=kind, games=len(games), left=len(left), ms=took)
        return left

    async def rest(self, most: float) -> None:
        """Wait until nothing is being closed, `most` seconds at the longest: for work that can wait."""
        until = time.monotonic() + most
        while (left := min(until, self._last + LULL) - time.monotonic()) > 0:  # noqa: ASYNC110 - it may be put off
            await asyncio.sleep(left)

    async def _let_play(self) -> None:
        until = time.monotonic() + PATIENCE
        while self._playing() > FEW and time.monotonic() < until:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(PAUSE)

    async def _wake(self, games: Sequence[GameId], kind: str, now: datetime) -> set[GameId]:
        """The games that are done."""
        known = await self._known(games, kind)
        done = {folded.id for folded in known if folded.standing.ended}
        decided: list[Decided] = []
        for chunk in _chunks(known):
            decided += [one for folded in chunk if (one := self._decide(folded, kind, now)) is not None]
            await asyncio.sleep(0)
        return done | await self._append(decided)

    async def _known(self, games: Sequence[GameId], kind: str) -> list[Folded]:
        known: list[Folded] = []
        for chunk in _chunks(games):
            known += [folded for game in chunk if (folded := self._store.peek(game)) is not None]
            await asyncio.sleep(0)
        room = asyncio.Semaphore(READ_AT_ONCE)

        async def read(game: GameId) -> Folded | None:
            async with room:
                try:
                    return await self._store.prepare(game, kind)
                except Unread:
                    return None
                except Exception:  # one game must not keep the others open
                    log.exception("a game cannot be read", game=game)
                    return None

        unknown = set(games).difference(folded.id for folded in known)
        found = await asyncio.gather(*map(read, unknown))
        return [*known, *(folded for folded in found if folded is not None)]

    def _decide(self, folded: Folded, kind: str, now: datetime) -> Decided | None:
        """What the game says to the time; none if that is nothing."""
        if folded.standing.ended:
            return None
        try:
            asked = Question(Wake(game=folded.id, kind=kind), ids.seed(), self._daily_key)(folded)
            outcome = decide(folded, asked, now)
        except Exception:
            log.exception("a game could not be woken", game=folded.id, kind=kind)
            return None
        return outcome if isinstance(outcome, Decided) and not outcome.claims else None

    async def _append(self, decided: Sequence[Decided]) -> set[GameId]:
        """The games whose records are stored, together with what other requests have for the log at the same time."""
        if not decided:
            return set()
        stored: asyncio.Future[set[GameId]] = asyncio.get_running_loop().create_future()
        self._waiting.append((decided, stored))
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_waiting())
        return await stored

    async def _store_waiting(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft()]
            while self._waiting and sum(len(some) for some, _ in batch) + len(self._waiting[0][0]) <= TOGETHER:
                batch.append(self._waiting.popleft())
            began = time.monotonic()
            stored = await self._store_batch([one for some, _ in batch for one in some])
            took = time.monotonic() - began
            for some, answer in batch:
                if not answer.done():
                    answer.set_result({one.after.id for one in some} & stored)
            if self._playing():
                await asyncio.sleep(min(took * SHARE, BREATH))

    async def _store_batch(self, decided: Sequence[Decided]) -> set[GameId]:
        try:
            try:
                return await self._store_all(decided)
            except Conflict:
                CONFLICTS.inc()
                newest = await self._games.newest([_subject(one) for one in decided])
                return await self._store_all(
                    [one for one in decided if newest.get(_subject(one)) == one.after.sequence]
                )
        except (Conflict, Unknown, Down, Unread) as error:
            log.warning("games were not closed", games=len(decided), error=type(error).__name__)
        except Exception:
            log.exception("games were not closed", games=len(decided))
        return set()

    async def _store_all(self, decided: Sequence[Decided]) -> set[GameId]:
        if not decided:
            return set()
        began = time.perf_counter()
        sequences = await self._games.append_all(
            [Next(_subject(one), _encode(one.commit), one.after.sequence, one.commit.id) for one in decided]
        )
        APPEND.observe(time.perf_counter() - began)
        for one, sequence in zip(decided, sequences, strict=True):
            self._store.keep_packed(replace(one.after, sequence=sequence))
        for kind, count in Counter(one.after.game.kind for one in decided).items():
            COMMANDS.labels(kind, "wake", "stored").inc(count)
        return {one.after.id for one in decided}


def _subject(decided: Decided) -> str:
    return subjects.game(decided.after.game.kind, decided.after.id)


def _chunks(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))

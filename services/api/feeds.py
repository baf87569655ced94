"""All open sockets of this process: who watches what, and when they must be looked after."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from libs.core import subjects
from libs.core.messages import PlayerId
from libs.runtime.ids import between
from libs.runtime.metrics import SOCKETS
from services.api.feed import Feed
from services.api.nats_link import NatsLink
from services.api.news import Board, News
from services.api.problems import Problem
from services.api.topics import Topics

log = structlog.get_logger()

SOCKETS_OF_PLAYER = 30
ROUND = 60.0  # seconds in which every socket looks once whether anything was missed
SOON = (1.0, 3.0)  # seconds after opening: a subscription takes a moment to be known to all servers of a cluster

STEP = 20  # sockets that are closed at once when all are

SESSION_ENDED = 4001
RESTARTS = 1012


class Watcher:
    """A socket that is open: whose it is, and how to close it."""

    def __init__(self, feed: Feed, session: str, close: Callable[[int], Awaitable[None]]) -> None:
        self.feed = feed
        self.session = session
        self.close = close
        self.look_at = 0.0  # when to look whether anything was missed (loop time)


class Feeds:
    """Opens and closes feeds, and goes round among them."""

    def __init__(self, link: NatsLink, board: Board) -> None:
        self.topics = Topics(link)
        self._link = link
        self._watchers: set[Watcher] = set()
        self._of_player: defaultdict[PlayerId, int] = defaultdict(int)
        self._closing: set[asyncio.Task[None]] = set()
        self.draining = False
        board.read_by(self._hear)

    @asynccontextmanager
    async def counted(self, player: PlayerId, *, limited: bool) -> AsyncIterator[None]:
        """Count a socket of this player for as long as the block runs. Raises `Problem` (too_many_sockets)."""
        if limited and self._of_player[player] >= SOCKETS_OF_PLAYER:
            raise Problem("too_many_sockets", retry_after=5)
        self._of_player[player] += 1
        SOCKETS.inc()
        try:
            yield
        finally:
            SOCKETS.dec()
            self._of_player[player] -= 1
            if not self._of_player[player]:
                del self._of_player[player]

    @asynccontextmanager
    async def listening(self, feed: Feed, seat: PlayerId) -> AsyncIterator[None]:
        """Let the feed hear of its game, in which its player has this seat. Raises `Unavailable`."""
        ears = [
            (subjects.live(feed.game, seat), feed.published),
            (subjects.notice(feed.game), feed.noticed),
            (subjects.chat(feed.game), feed.heard),
        ]
        joined = []
        try:
            for subject, ear in ears:
                joined.append((subject, ear))
                await self.topics.join(subject, ear)
            yield
        finally:
            feed.stop()
            for subject, ear in joined:
                await self.topics.leave(subject, ear)

    @asynccontextmanager
    async def watched(self, watcher: Watcher) -> AsyncIterator[None]:
        """Look after an open socket for as long as the block runs."""
        watcher.look_at = asyncio.get_running_loop().time() + between(*SOON)
        self._watchers.add(watcher)
        try:
            yield
        finally:
            self._watchers.discard(watcher)

    async def keep(self) -> None:
        """Go round for ever: whatever NATS has lost on its way is found here."""
        now = asyncio.get_running_loop().time
        reconnects = 0
        while True:
            await asyncio.sleep(1)
            if not self._link.is_up:
                continue
            seen = self._link.connection.stats["reconnects"]
            for watcher in tuple(self._watchers):
                if seen != reconnects or watcher.look_at < now():
                    watcher.look_at = now() + between(ROUND / 2, ROUND)
                    watcher.feed.check()
            reconnects = seen

    def drop(self) -> None:
        """Close all sockets, so that their players come back: the connection that they heard by is gone for good."""
        self.topics.forget()
        self._close(self._watchers, RESTARTS)

    async def drain(self, seconds: float) -> None:
        """Within so many seconds let the proxy notice that we end, then close all sockets, one after another.

        Their players come back at once, to another copy, and not all at the same moment.
        """
        self.draining = True
        await asyncio.sleep(seconds / 2)
        left = list(self._watchers)
        for number, watcher in enumerate(left):
            self._close([watcher], RESTARTS)
            if number % STEP == STEP - 1:
                await asyncio.sleep(seconds / 2 * STEP / len(left))

    def _hear(self, news: News) -> None:
        ended = set(news.ended)
        if ended:
            mine = [watcher for watcher in self._watchers if watcher.session in ended]
            self._close(mine, RESTARTS if news.replaced else SESSION_ENDED)

    def _close(self, watchers: set[Watcher] | list[Watcher], code: int) -> None:
        for watcher in tuple(watchers):
            task = asyncio.ensure_future(watcher.close(code))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

"""Who is called what: the names of players, kept for a while, and written into views as they leave."""

import asyncio
import re
import time
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from libs.core.messages import PlayerId
from services.api.database import PATIENCE as LONG_PATIENCE
from services.api.database import Database
from services.api.news import Board, News
from services.api.problems import ReadsDown

FRESH = 60.0  # seconds
MISSING = 2.0  # seconds until somebody whom we could not read is looked for again
PATIENCE = 0.3  # seconds that an answer waits for names
MOST = 50_000  # players remembered

_READ = """
select p.id, a.id, a.name, a.guest from players p join players a on a.id = coalesce(p.merged_into, p.id)
where p.id = any(%s)
"""
_UNNAMED = re.compile(rb'{"id":"([^"]+)","name":null}')

_ALIASES = "select id from players where merged_into = %s order by id desc"


class Player(Struct, frozen=True):
    """A player as others see them; the name is null when the account is gone, or cannot be read now."""

    id: PlayerId
    name: str | None = None


class _Known(Struct, frozen=True):
    player: Player
    guest: bool
    unnamed: bytes  # what a view says
    named: bytes  # what it says instead
    until: float


class Names:
    """The players that this copy has met lately. A guest who has joined an account is known as the account."""

    def __init__(self, database: Database, board: Board) -> None:
        self._known: dict[PlayerId, _Known] = {}
        self._database = database
        self._reading: set[asyncio.Task[None]] = set()
        board.read_by(self._hear)

    def _hear(self, news: News) -> None:
        for player in news.renamed:
            self._known.pop(player, None)

    def learn(self, player: PlayerId, name: str | None, *, guest: bool) -> None:
        """What we know without asking: the player has just got this name."""
        self._put(player, Player(player, name), guest, FRESH)

    def _put(self, id_: PlayerId, player: Player, guest: bool, seconds: float) -> None:
        if len(self._known) >= MOST:
            self._known.pop(next(iter(self._known)))
        self._known[id_] = _Known(
            player=player,
            guest=guest,
            unnamed=msgspec.json.encode(Player(id_)),
            named=msgspec.json.encode(player),
            until=time.monotonic() + seconds,
        )

    async def of(self, players: Iterable[PlayerId]) -> dict[PlayerId, Player]:
        """These players by the ids asked for; unnamed if PostgreSQL does not answer soon."""
        wanted = set(players)
        await self._meet(wanted)
        return {id_: self._known[id_].player if id_ in self._known else Player(id_) for id_ in wanted}

    async def fill(self, view: bytes) -> bytes:
        """A view (JSON) of the game service with the names of its players.

        It writes each as `{"id":"…","name":null}`; inside a text the quotation marks would be escaped.
        """
        players = [id_.decode() for id_ in _UNNAMED.findall(view)]
        await self._meet(players)
        for id_ in players:
            if known := self._known.get(id_):
                view = view.replace(known.unnamed, known.named)
        return view

    async def _meet(self, players: Iterable[PlayerId]) -> None:
        now = time.monotonic()
        unknown, stale = [], []
        for id_ in players:
            known = self._known.get(id_)
            if known is None:
                unknown.append(id_)
            elif known.until < now:
                stale.append(id_)
        if unknown:
            await self._read([*unknown, *stale])
        elif stale:  # a name that was right a minute ago is better than waiting
            for id_ in stale:
                self._known[id_] = msgspec.structs.replace(self._known[id_], until=now + MISSING)
            task = asyncio.create_task(self._read(stale))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    async def _read(self, players: Sequence[PlayerId]) -> None:
        try:
            rows = await self._database.rows(_READ, (list(players),), PATIENCE)
        except ReadsDown:
            for id_ in players:
                if id_ not in self._known:
                    self._put(id_, Player(id_), True, MISSING)
            return
        for id_, account, name, guest in rows:
            self._put(id_, Player(account, name), guest, FRESH)
        for id_ in set(players).difference(row[0] for row in rows):
            self._put(id_, Player(id_), True, FRESH)

    async def aliases(self, account: PlayerId, patience: float = LONG_PATIENCE) -> tuple[PlayerId, ...]:
        """The guests that an account has been, the newest first; none if PostgreSQL does not answer in time."""
        try:
            return tuple(id_ for (id_,) in await self._database.rows(_ALIASES, (account,), patience))
        except ReadsDown:
            return ()

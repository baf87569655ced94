"""A peer that answers the scheduler as a game service does, with games whose deadlines the tests choose."""

from collections import Counter
from contextlib import suppress
from datetime import datetime

import msgspec
from nats.aio.msg import Msg
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from libs.core import calls, subjects
from libs.runtime import bus
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from services.scheduler import lease


class GamePeer:
    """Games by id and what they answer; `woken` counts who was asked, `deaf` is how many questions go unanswered.

    `told` counts how often it was asked about a day, whatever was asked.
    """

    def __init__(self, now: Clock) -> None:
        self.dues: dict[str, datetime | None] = {}
        self.chats: dict[str, datetime] = {}
        self.woken: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        self.closed: set[str] = set()
        self.deaf = 0
        self._now = now

    async def listen(self, connection: Connection) -> None:
        """Answer on any game's subject."""
        await connection.subscribe(subjects.ASK_ANY, queue="game", cb=self._answer)

    async def _answer(self, message: Msg) -> None:
        call = bus.question(message)
        assert isinstance(call, calls.Wake | calls.WakeMany | calls.Do)
        if call.kind == "day":
            self.told[call.game] += 1
            await bus.reply(message, calls.Answer(game=call.game))
            return
        games = call.games if isinstance(call, calls.WakeMany) else (call.game,)
        self.woken.update(games)
        if self.deaf:
            self.deaf -= 1
            await bus.reply(message, calls.Answer(refused=calls.TRY_AGAIN))
            return
        for game in games:
            self._wake(game)
        due, chat_until = self.dues.get(call.game), self.chats.get(call.game)
        await bus.reply(message, calls.Answer(game=call.game, due=due, chat_until=chat_until))

    def _wake(self, game: str) -> None:
        due = self.dues.get(game)
        if due is not None and due <= self._now():
            self.closed.add(game)
            self.dues[game] = None


def commit(due: datetime | None) -> bytes:
    """A record of the log, of which the scheduler reads the deadline alone."""
    return msgspec.json.encode({"id": "x", "by": "ann", "digest": "", "events": [], **({"due": due} if due else {})})


async def is_led(store: KeyValue) -> bool:
    """Does a scheduler lead, by the bucket of the lease?"""
    with suppress(KeyNotFoundError):  # nobody has led yet
        return b'"holder":""' not in ((await store.get(lease.KEY)).value or b"")
    return False

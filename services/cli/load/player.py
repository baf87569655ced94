"""A simulated player: who it is, what it has seen, and how it asks."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Raw, Struct

from libs.core import lexicon
from libs.core.messages import GameId, PlayerId
from libs.runtime import ids
from services.cli.load.acts import Ask, Reply, Rest, Script
from services.cli.load.ledger import Audited, Ledger, Refused, Seen, Sent, Taken
from services.cli.load.recovery import Recovery

SHORTEST, LONGEST = 0.05, 1.0
"""Seconds between two attempts at the same request, growing."""


@dataclass(eq=False)
class Offer:
    """An invite that a player of the load makes for whichever other takes it first from `World.offers`."""

    secret: str  # what its maker has set
    token: str = ""  # once the service has made it
    gone: bool = False  # it came to nothing


class World:
    """What the players of one process share: the ledger, open invites, and words that have come out."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.recovery = Recovery()
        self.words = lexicon.newest().secrets
        self.offers: deque[Offer] = deque()
        self.secrets: dict[tuple[GameId, PlayerId], str] = {}  # what this player has to find
        self.dailies: dict[str, str] = {}  # the word of each day, once somebody has finished


class _Frame(Struct):
    type: str
    version: int = 0
    view: Raw = Raw()


_frame = msgspec.json.Decoder(_Frame)


class Following:
    """A player at a game's socket, over all the connections that it takes."""

    def __init__(self, player: "Player", game: GameId) -> None:
        self.player = player
        self.game = game
        self.version: int | None = None
        self._name = ids.new_id()

    @property
    def path(self) -> str:
        """Where to connect, so that nothing is missed and nothing comes twice."""
        after = "" if self.version is None else f"?after={self.version}"
        return f"/api/v1/games/{self.game}/live{after}"

    def take(self, text: str | bytes) -> str:
        """Take a frame; answers with its type. Raises `msgspec.DecodeError`."""
        frame = _frame.decode(text)
        if frame.type == "view":
            self.version = frame.version
            self.player.saw(self.game, bytes(frame.view), self._name)
        return frame.type


class Player:
    """One player of the load. A driver sets `noticed`, which is called when a newer view has come."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.id: PlayerId = ""
        self.token = ""
        self.views: dict[GameId, Any] = {}  # the newest of each game
        self.noticed: Callable[[], None] = lambda: None

    @property
    def headers(self) -> dict[str, str]:
        """What shows who asks."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def saw(self, game: GameId, body: bytes, following: str = "") -> Any:
        """Note a view (JSON) that came; answers with it."""
        view = msgspec.json.decode(body)
        version = view["version"]
        if version:  # a Daily that is not begun is in no log
            self.world.ledger.write(Seen(game=game, by=self.id, version=version, view=Raw(body), following=following))
        known = self.views.get(game)
        if known is None or known["version"] < version:
            self.views[game] = view
            self.noticed()
        return view

    def forget(self, game: GameId) -> None:
        """Done with a game."""
        self.views.pop(game, None)
        self.world.secrets.pop((game, self.id), None)

    def ask(self, ask: Ask, game: GameId = "") -> Script[Reply]:
        """Ask once."""
        reply: Reply = yield ask
        if not reply.ok and reply.status != 304:
            self._refused(ask, reply, game)
        return reply

    def insist(self, ask: Ask, game: GameId = "") -> Script[Reply]:
        """Ask with the same key until it is known what has become of it; when the load is over, only for guesses."""
        pause, guesses = SHORTEST, ask.route.endswith("/guesses")
        while not (reply := (yield from self.ask(ask, game))).known:
            if guesses:
                self.world.recovery.failed()
            going = yield Rest(reply.retry_after if reply.status == 429 else pause)
            if not going and not guesses:
                break
            pause = min(LONGEST, 2 * pause)
        return reply

    def guess(self, game: GameId, word: str, ask: Ask) -> Script[Reply]:
        """Send a guess until it is taken or refused, and note both."""
        self.world.ledger.write(Sent(game=game, by=self.id, key=ask.key, word=word))
        began = time.monotonic()
        reply = yield from self.insist(ask, game)
        if reply.ok:
            self.world.recovery.acknowledged(began)
            view = self.saw(game, reply.body)
            marks = own_rows(view)[-1]["marks"]
            self.took(game, ask.key, view["version"], word, marks)
        return reply

    def took(self, game: GameId, key: str, version: int, word: str = "", marks: str = "") -> None:
        """Note that a command was acknowledged."""
        self.world.ledger.write(Taken(game=game, by=self.id, key=key, version=version, word=word, marks=marks))

    def audited(self, game: GameId, body: bytes) -> None:
        """Note what an ended game can be checked by."""
        self.world.ledger.write(Audited(game=game, by=self.id, audit=Raw(body)))

    def _refused(self, ask: Ask, reply: Reply, game: GameId) -> None:
        self.world.ledger.write(
            Refused(
                request=ask.name,
                status=reply.status,
                code=reply.code,
                game=game,
                by=self.id,
                key=ask.key,
                final=reply.known,
            )
        )


def own_rows(view: Any) -> Any:
    """The own guesses in a view of any game."""
    return view["you"]["guesses"] if "you" in view else view["guesses"]

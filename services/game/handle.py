"""Taking commands: load, decide, append; and what to think when somebody else was first."""

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from libs.core import subjects
from libs.core.messages import Asker, Command, Commit, GameId, PlayerId
from libs.core.refusals import Reason, Refused
from libs.core.version import VERSION
from libs.runtime import telemetry
from libs.runtime.ids import between
from libs.runtime.log import Conflict, Down, Log, Unknown, Unread
from libs.runtime.metrics import APPEND, CONFLICTS
from services.game import claims
from services.game.claims import Claim
from services.game.store import Folded, Store, unmade

ATTEMPTS = 10
"""How often another copy may be faster before the asker is told to come back."""

PAUSE = 0.01  # seconds at most before the second attempt; as much more before each later one

BELIEVED = timedelta(seconds=5)
"""A stamp of receipt older than this is not believed: a command is not under way for so long."""

_encoder = msgspec.json.Encoder()


class TryAgain(Exception):
    """Nothing is known of the outcome; the same command with the same key settles it."""


class Asked(Struct, frozen=True, kw_only=True):
    """A command, understood in the light of its game."""

    command: Command
    asker: Asker
    id: str
    digest: str
    makes: bool = False  # the game comes into being by it, so its id is claimed


Ask: TypeAlias = Callable[[Folded], Asked]
"""Understands what was asked, as the game stands; raises `Refused`."""


class Decided(Struct, frozen=True, kw_only=True):
    """What follows from a command, if nobody is faster."""

    commit: Commit[Any]
    after: Folded  # its sequence is not known yet
    claims: Sequence[str]  # the subjects of what the events claim


class Taken(Struct, frozen=True, kw_only=True):
    """What became of a command: the game now, and the version to answer with."""

    folded: Folded
    player: PlayerId
    version: int
    outcome: Literal["stored", "repeated", "nothing"]


def stamp(received: datetime, now: datetime) -> datetime:
    """The instant by which a command received then is judged."""
    return min(received, now) if now - received <= BELIEVED else now


class Handler:
    """Takes the commands of all games, those of one game one after the other."""

    def __init__(self, log: Log, store: Store) -> None:
        self._log = log
        self._store = store
        self._locks: WeakValueDictionary[GameId, asyncio.Lock] = WeakValueDictionary()

    def lock(self, game: GameId) -> asyncio.Lock:
        """What is held while a command of this game is taken."""
        return self._locks.setdefault(game, asyncio.Lock())

    async def take(self, game: GameId, kind: str | None, ask: Ask, at: datetime) -> Taken:
        """Take a command received `at`; with `kind` it may make the game.

        Raises `Refused`, `TryAgain`, `Unreadable`, or `Newer` or `UnknownKind` for what is for a newer copy.
        """
        async with self.lock(game):
            try:
                return await self._take(game, kind, ask, at)
            except (Unread, Down, Unknown) as error:
                raise TryAgain from error

    async def _take(self, game: GameId, kind: str | None, ask: Ask, at: datetime) -> Taken:
        folded, sure = await self._begin(game, kind)
        for attempt in range(ATTEMPTS):
            asked = ask(folded)
            outcome: Taken | Decided | None = None
            try:
                outcome = _repeated(folded, asked) or decide(folded, asked, at)
            except Refused:
                if sure:
                    raise
            if isinstance(outcome, Taken) and sure:
                return outcome
            if not isinstance(outcome, Decided):  # an answer that changes nothing must rest on the truth
                if asked.makes and (made := await self._made(asked)):
                    return made
                folded, sure = await self._store.fresh(game) or folded, True
                continue
            try:
                after = await self._append(folded, asked, outcome)
            except Unknown:
                if (found := await self._read_back(game, asked)) is None:
                    raise
                return found
            except Conflict:
                CONFLICTS.inc()
                newer = await self._store.fresh(game) or folded
                if newer.sequence == folded.sequence and (made := await self._overtaken(asked, outcome)):
                    return made
                folded, sure = newer, True
                await asyncio.sleep(between(0, PAUSE * (attempt + 1)))
            else:
                return Taken(folded=after, player=asked.asker.by, version=after.version, outcome="stored")
        raise TryAgain

    async def _begin(self, game: GameId, kind: str | None) -> tuple[Folded, bool]:
        """The game as we know it, and whether that is up to date."""
        if folded := self._store.kept(game):
            return folded, False
        if kind is not None:  # most likely there is nothing to read yet; the append will tell
            return unmade(kind, game), False
        if folded := await self._store.fresh(game):
            return folded, True
        raise Refused(Reason.UNKNOWN_GAME)

    async def _append(self, folded: Folded, asked: Asked, decided: Decided) -> Folded:
        game, kind, commit = folded.id, folded.game.kind, decided.commit
        claimed = [(subject, Claim(game=game, kind=kind)) for subject in decided.claims]
        if asked.makes:
            claimed.append((claims.subject_of_key(asked.id), Claim(game=game, kind=kind, digest=asked.digest)))
        began = time.perf_counter()
        with telemetry.part("append"):
            sequence = await self._log.append(
                subjects.game(kind, game),
                _encoder.encode(commit),
                folded.sequence,
                commit.id,
                [(subject, _encoder.encode(claim)) for subject, claim in claimed],
            )
        APPEND.observe(time.perf_counter() - began)
        after = replace(decided.after, sequence=sequence)
        self._store.keep(after)
        return after

    async def _read_back(self, game: GameId, asked: Asked) -> Taken | None:
        """After silence: is our command in the log?"""
        folded = await self._store.fresh(game)
        return None if folded is None else _repeated(folded, asked)

    async def _overtaken(self, asked: Asked, decided: Decided) -> Taken | None:
        """The game has not moved, so a claim stands in the way: whose? None if that has no owner after all."""
        if asked.makes and (made := await self._made(asked)):
            return made
        for subject in decided.claims:
            holder = await self._holder(subject)
            if holder and holder.game != decided.after.id:
                raise Refused(Reason.RIVAL_GAME_EXISTS, game=holder.game)
        return None

    async def _made(self, asked: Asked) -> Taken | None:
        """What this very command has made before, perhaps under another id of the game."""
        holder = await self._holder(claims.subject_of_key(asked.id))
        if holder is None:
            return None
        if holder.digest != asked.digest:
            raise Refused(Reason.KEY_REUSED)
        return await self._read_back(holder.game, asked)

    async def _holder(self, subject: str) -> Claim | None:
        data = await self._log.claim(subject)
        return None if data is None else claims.read(data)


def _repeated(folded: Folded, asked: Asked) -> Taken | None:
    if asked.id not in folded.commands:
        return None
    version, digest = folded.commands[asked.id]
    if digest != asked.digest:
        raise Refused(Reason.KEY_REUSED)
    return Taken(folded=folded, player=asked.asker.by, version=version, outcome="repeated")


def decide(folded: Folded, asked: Asked, at: datetime) -> Decided | Taken:
    """What follows from a command, which may be nothing. Raises `Refused`."""
    now = at if folded.at is None else max(at, folded.at)
    events = folded.game.decide(folded.state, asked.command, asked.asker, now)
    if not events:
        return Taken(folded=folded, player=asked.asker.by, version=folded.version, outcome="nothing")
    commit = Commit(id=asked.id, by=asked.asker.by, digest=asked.digest, at=now, events=events, v=VERSION)
    after = folded.then(commit, folded.sequence)
    return Decided(
        commit=replace(commit, due=after.standing.due),
        after=after,
        claims=claims.subjects_of(folded.game, events),
    )

"""Games as this copy knows them: folded once, kept while there is room, brought up to date from the log."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from libs.core.decider import Decider, Standing
from libs.core.games import GAMES
from libs.core.history import UnknownKind, read
from libs.core.messages import Commit, GameId
from libs.runtime.log import Log, Record
from services.game.shelf import Packed, Shelf

MOST = 10_000
"""How many games are kept folded; one takes about 10 kB. Open ones beyond them are kept packed."""


class Unreadable(RuntimeError):
    """A record of this game is none that this version of the service can read; says which."""


class Folded(Struct, frozen=True, kw_only=True):
    """A game after its first `version` records."""

    game: Decider[Any]
    id: GameId
    state: Any
    standing: Standing  # what is known of it without its rules
    version: int = 0
    sequence: int = 0  # the log's number of the newest of them
    at: datetime | None = None  # UTC: when that was made
    commands: Mapping[str, tuple[int, str]]  # each command's id: the version that it made, and its digest

    def then(self, commit: Commit[Any], sequence: int) -> "Folded":
        """The game after one more record."""
        state, version = self.game.apply(self.state, commit.events), self.version + 1
        return Folded(
            game=self.game,
            id=self.id,
            state=state,
            standing=self.game.standing(state),
            version=version,
            sequence=sequence,
            at=commit.at if self.at is None else max(self.at, commit.at),
            commands={**self.commands, commit.id: (version, commit.digest)},
        )


def unmade(kind: str, game: GameId) -> Folded:
    """A game to which nothing has happened. Raises `UnknownKind`."""
    if kind not in GAMES:
        raise UnknownKind(kind)
    start = GAMES[kind].start
    return Folded(game=GAMES[kind], id=game, state=start, standing=GAMES[kind].standing(start), commands={})


class Store:
    """The games of one copy."""

    def __init__(self, log: Log, most: int = MOST) -> None:
        self._log = log
        self._most = most
        self._kept: OrderedDict[GameId, Folded] = OrderedDict()
        self._shelf = Shelf()  # open games that were forgotten

    def kept(self, game: GameId) -> Folded | None:
        """What this copy remembers of a game, perhaps older than the truth; none if it remembers nothing."""
        if (found := self._kept.get(game)) is not None:
            self._kept.move_to_end(game)
        elif (packed := self._shelf.get(game)) is not None:
            self.keep(found := _unpacked(game, *packed))
        return found

    def peek(self, game: GameId) -> Folded | None:
        """The same for who wants the game this once: no other one is forgotten for it."""
        if (found := self._kept.get(game)) is None and (packed := self._shelf.get(game)) is not None:
            return _unpacked(game, *packed)
        return found

    def known(self, game: GameId) -> int:
        """The sequence up to which this copy remembers a game; 0 if it remembers nothing."""
        found = self._kept.get(game)
        return self._shelf.sequence(game) if found is None else found.sequence

    def keep(self, folded: Folded) -> None:
        """Remember a game, unless more of it is known already; the one not asked for longest is forgotten."""
        known = self._kept.get(folded.id)
        if known is None or known.sequence < folded.sequence:
            self._kept[folded.id] = folded
            self._shelf.drop(folded.id)
            if len(self._kept) > self._most:
                _, oldest = self._kept.popitem(last=False)
                if oldest.standing.due is not None:
                    self._shelf.put(oldest.id, oldest.game.kind, _packed(oldest))

    def keep_packed(self, folded: Folded) -> None:
        """Remember a game that is not wanted soon, and one that has no deadline only if it is kept already."""
        if folded.id in self._kept:
            self.keep(folded)
        elif folded.standing.due is None:
            self._shelf.drop(folded.id)
        elif self._shelf.sequence(folded.id) < folded.sequence:
            self._shelf.put(folded.id, folded.game.kind, _packed(folded))

    async def fresh(self, game: GameId) -> Folded | None:
        """A game with all its records up to this moment; none if it has none.

        Raises `Unread`, `Unreadable` or `Newer`.
        """
        if (known := await self._read(game, self.kept(game))) is not None:
            self.keep(known)
        return known

    async def prepare(self, game: GameId, kind: str) -> Folded | None:
        """The same for a game of this kind that will be wanted once, not soon."""
        if (known := await self._read(game, self.peek(game), kind)) is not None:
            self.keep_packed(known)
        return known

    async def _read(self, game: GameId, known: Folded | None, kind: str = "*") -> Folded | None:
        """A game that is known so far, with what has come since."""
        if known is None:
            records = await self._log.load(game, kind)
            if not records:
                return None
            known = _unmade(records[0])
        else:
            records = await self._log.load(game, known.game.kind, known.sequence)
        for record in records:
            known = known.then(_commit(record), record.sequence)
        return known

    async def history(self, game: GameId) -> Sequence[Commit[Any]]:
        """All commits of a game up to this moment. Raises `Unread`, `Unreadable` or `Newer`."""
        return [_commit(record) for record in await self._log.load(game)]

    async def versions(self, folded: Folded, first: int) -> Sequence[Folded]:
        """A game as it was at each version from `first` to this one. Raises `Unread`, `Unreadable` or `Newer`."""
        if first >= folded.version:
            return [folded]
        past = unmade(folded.game.kind, folded.id)
        found = []
        for record in (await self._log.load(folded.id, folded.game.kind))[: folded.version]:
            past = past.then(_commit(record), record.sequence)
            if past.version >= first:
                found.append(past)
        return found


def _packed(folded: Folded) -> Packed:
    return Packed(folded.version, folded.sequence, folded.at, folded.commands, folded.state)


def _unpacked(game: GameId, kind: str, packed: Packed) -> Folded:
    return Folded(
        game=GAMES[kind],
        id=game,
        state=packed.state,
        standing=GAMES[kind].standing(packed.state),
        version=packed.version,
        sequence=packed.sequence,
        at=packed.at,
        commands=packed.commands,
    )


def _unmade(record: Record) -> Folded:
    if record.kind not in GAMES:
        _commit(record)  # raises: it says whether a newer release knows it
    return unmade(record.kind, record.game)


def _commit(record: Record) -> Commit[Any]:
    try:
        return read(record.kind, record.data)
    except (msgspec.DecodeError, UnknownKind) as error:
        raise Unreadable(f"record {record.sequence}: {error}") from error

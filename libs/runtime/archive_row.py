"""One row of the archive: all records of a game and its claims, packed so that damage is noticed."""

import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TypeAlias

import msgspec
from msgspec import Struct

from libs.core import subjects
from libs.core.messages import GameId
from libs.runtime.direct import Record

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Damaged(RuntimeError):
    """What the archive holds of this game is not what was put there; says how."""

    def __init__(self, game: GameId, how: str) -> None:
        super().__init__(f"game {game} is damaged in the archive: {how}")
        self.game = game
        self.how = how


OnDamage: TypeAlias = Callable[[Damaged], None]
"""Told of each game that the archive cannot give, whose records are then left out."""


def refuse(damaged: Damaged) -> None:
    """Leave nothing out. Raises what it is told of."""
    raise damaged


class Row(Struct, frozen=True, kw_only=True):
    """A row as it is stored."""

    game: GameId
    kind: str
    first_seq: int
    last_seq: int
    records: int
    data: bytes
    checksum: bytes


class _Entry(Struct, frozen=True, array_like=True):
    """A record as it is packed. New fields come last, with a default."""

    sequence: int
    subject: str
    at: int  # microseconds since 1970, UTC
    data: bytes


_entries = msgspec.msgpack.Decoder(list[_Entry])


def pack(game: GameId, kind: str, records: Sequence[Record]) -> Row:
    """The row of a game with these records and claims, which are in order."""
    entries = [_Entry(one.sequence, one.subject, (one.at - _EPOCH) // _MICROSECOND, one.data) for one in records]
    plain = msgspec.msgpack.encode(entries)
    return Row(
        game=game,
        kind=kind,
        first_seq=records[0].sequence,
        last_seq=records[-1].sequence,
        records=len(records),
        data=zlib.compress(plain),
        checksum=sha256(plain).digest(),
    )


def unpack(row: Row) -> list[Record]:
    """The records and claims in a row, in order. Raises `Damaged`."""
    try:
        plain = zlib.decompress(row.data)
    except zlib.error:
        raise Damaged(row.game, "it cannot be unpacked") from None
    if sha256(plain).digest() != row.checksum:
        raise Damaged(row.game, "the checksum is another one")
    try:
        entries = _entries.decode(plain)
    except msgspec.DecodeError as error:
        raise Damaged(row.game, f"not readable: {error}") from None
    records = list(_records(entries))
    if not _agree(row, records):
        raise Damaged(row.game, "the columns of the row are not those of its records")
    return records


def _records(entries: Iterable[_Entry]) -> Iterable[Record]:
    newest: dict[str, int] = {}
    for one in entries:
        at, after = _EPOCH + one.at * _MICROSECOND, newest.get(one.subject, 0)
        yield Record(one.sequence, one.subject, one.data, at, after=after)
        newest[one.subject] = one.sequence


def is_claim(record: Record) -> bool:
    """Is this a claim, and no record of the game itself?"""
    return record.kind == subjects.CLAIM


def _agree(row: Row, records: Sequence[Record]) -> bool:
    own = {one.subject for one in records if not is_claim(one)}
    sequences = [one.sequence for one in records]
    return (
        own == {subjects.game(row.kind, row.game)}
        and sequences == sorted(set(sequences))
        and (sequences[0], sequences[-1], len(sequences)) == (row.first_seq, row.last_seq, row.records)
    )

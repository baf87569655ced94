"""What is put into the archive comes out as it was, whatever it is and however it lies between stream and archive."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from libs.core import subjects
from libs.runtime import postgres
from libs.runtime.archive import Archive
from libs.runtime.archive_history import whole
from libs.runtime.archive_row import Damaged, pack, refuse, unpack
from libs.runtime.direct import Record
from libs.runtime.settings import Settings

HISTORIES = sorted((Path(__file__).parents[1] / "core" / "histories").glob("*.jsonl"))
BEGIN = datetime(2026, 1, 15, 17, tzinfo=UTC)
INSERT = (
    "insert into archive.games (game, kind, first_seq, last_seq, records, data, checksum) "
    "values (%s, %s, %s, %s, %s, %s, %s)"
)
ODD = [b"", b"\0", "ä€😀".encode(), bytes(range(256)), b"x" * 100_000]


def game_id(number: int) -> str:
    return f"019b0000-0000-7000-8000-{number:012x}"


def record(sequence: int, game: int, data: bytes = b"{}", *, after: int = 0) -> Record:
    at = BEGIN + timedelta(microseconds=sequence % 10**15)  # however long the log may grow
    return Record(sequence, subjects.game("duel", game_id(game)), data, at, after=after)


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: file.stem)
def test_a_history_comes_back_byte_by_byte(file: Path) -> None:
    kind = file.stem.partition("-")[0]
    subject = subjects.game(kind, game_id(1))
    claim = Record(2, subjects.claim("pair"), b'{"game":"1"}', BEGIN, after=0)
    lines = file.read_bytes().splitlines()
    own = [Record(3 + 2 * place, subject, line, BEGIN + timedelta(hours=place)) for place, line in enumerate(lines)]
    own = [replace(one, after=own[place - 1].sequence if place else 0) for place, one in enumerate(own)]
    row = pack(game_id(1), kind, [claim, *own])
    assert unpack(row) == [claim, *own]
    assert (row.first_seq, row.last_seq, row.records) == (2, own[-1].sequence, len(lines) + 1)
    assert len(row.data) < sum(map(len, lines)) or len(lines) == 1


@given(st.lists(st.binary(max_size=300) | st.sampled_from(ODD), min_size=1, max_size=20), st.integers(1, 2**62))
def test_any_bytes_come_back(bodies: list[bytes], first: int) -> None:
    records = [
        record(first + place, 1, body, after=first + place - 1 if place else 0) for place, body in enumerate(bodies)
    ]
    assert unpack(pack(game_id(1), "duel", records)) == records


@given(st.data())
def test_whatever_bit_of_a_row_changes_what_comes_out_is_noticed(data: st.DataObject) -> None:
    records = [record(1, 1, b"made"), record(2, 1, b"guessed", after=1)]
    row = pack(game_id(1), "duel", records)
    place, bit = data.draw(st.integers(0, len(row.data) - 1)), data.draw(st.integers(0, 7))
    flipped = bytes([*row.data[:place], row.data[place] ^ 1 << bit, *row.data[place + 1 :]])
    with suppress(Damaged):
        assert unpack(replace(row, data=flipped)) == records  # the last bits of all mean nothing


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[AsyncConnectionPool[AsyncConnection]]:
    postgres.migrate(postgres_url, ["services.game.tables"])
    async with postgres.pool(Settings(postgres_url=postgres_url), most=2) as pool:
        yield pool


async def streamed(records: Sequence[Record], size: int) -> AsyncGenerator[list[Record], None]:
    for begin in range(0, len(records), size):
        yield list(records[begin : begin + size])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=60),
    st.dictionaries(st.integers(0, 5), st.sampled_from(["stream", "archive", "both"])),
    st.integers(1, 7),
    st.integers(1, 7),
    st.data(),
)
async def test_stream_and_archive_are_one_history(
    pool: AsyncConnectionPool[AsyncConnection],
    owners: list[int],
    places: dict[int, str],
    size: int,
    batch: int,
    data: st.DataObject,
) -> None:
    owners.append(6)  # the newest record is in the stream
    records = [record(place, owner) for place, owner in enumerate(owners, 1)]
    start = data.draw(st.integers(1, len(records)))
    end = data.draw(st.integers(start, len(records)))
    async with pool.connection() as connection:
        await connection.execute("truncate archive.games cascade")
        for owner, where in places.items():
            own = [one for one in records if one.game == game_id(owner)]
            if own and where != "stream":
                row = pack(game_id(owner), "duel", own)
                await connection.execute(
                    INSERT, (row.game, row.kind, row.first_seq, row.last_seq, row.records, row.data, row.checksum)
                )
    gone = {game_id(owner) for owner, where in places.items() if where == "archive"}
    stream = [one for one in records if one.sequence >= start and one.game not in gone]
    pieces = [piece async for piece in whole(Archive(pool), streamed(stream, size), start, end, batch, refuse)]
    assert [one.sequence for piece in pieces for one in piece] == list(range(start, end + 1))
    assert {1 <= len(piece) <= batch for piece in pieces} == {True}

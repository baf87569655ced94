"""The log, on one server and on three."""

from libs.core import subjects
from libs.runtime import ids
from libs.runtime.log import Log


async def test_an_appended_record_is_loaded(log: Log) -> None:
    game = ids.new_id()
    sequence = await log.append(subjects.game("duel", game), b"made", 0, "ann:1")
    [record] = await log.load(game)
    assert (record.sequence, record.kind, record.game, record.data) == (sequence, "duel", game, b"made")

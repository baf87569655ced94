"""The leader's work: for each of the coming days, the commitment to its word is in the log before it begins.

All of this can be asked again and again: what is told of a day already is not told twice.
"""

import asyncio
from datetime import date, timedelta

import msgspec
import structlog
from msgspec import Raw

from libs.core.calendar import eastern_day
from libs.core.calls import TRY_AGAIN, Call, Do, Person, Wake
from libs.core.daily import ANNOUNCED, day_id
from libs.core.daily_order import FIRST_DAY
from libs.core.messages import CLOCK
from libs.core.refusals import Reason
from libs.core.version import VERSION
from libs.runtime import bus
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from libs.runtime.ids import between

BEHIND = 7
"""So many days that are over are woken once more, should their timers have been lost."""
PAUSE = 3600.0  # seconds between two rounds
SOON = (1.0, 3.0)  # seconds before a round that failed is begun again

KIND = "day"

log = structlog.get_logger()


async def announce(connection: Connection, now: Clock) -> None:
    """Announce today, unless it was, and the coming days; reveal those that are over. Raises `bus.Unavailable`."""
    today = eastern_day(now())
    for place in range(-BEHIND, ANNOUNCED.days + 1):
        day = today + timedelta(days=place)
        if day < FIRST_DAY:
            continue
        call = Wake(game=day_id(day), kind=KIND) if place < 0 else _announcement(day, now)
        await _ask(connection, call, day)


def _announcement(day: date, now: Clock) -> Do:
    command = {"type": "announce", "day": day}
    return Do(
        game=day_id(day),
        by=Person(id=CLOCK),
        key=f"announce:{day}",
        received=now(),
        command=Raw(msgspec.json.encode(command)),
        kind=KIND,
        v=VERSION,
    )


async def _ask(connection: Connection, call: Call, day: date) -> None:
    answer = await bus.ask(connection, call)
    if answer.refused == TRY_AGAIN:
        raise bus.Unavailable
    if answer.refused not in (None, Reason.UNKNOWN_GAME):  # a day before this service was first started is unknown
        log.error("a day was not told of", day=str(day), reason=answer.refused)


async def keep_announcing(connection: Connection, now: Clock) -> None:
    """Do so at once and then every hour; while the game service is away, every few seconds."""
    while True:
        try:
            await announce(connection, now)
        except bus.Unavailable:
            await asyncio.sleep(between(*SOON))
        else:
            await asyncio.sleep(PAUSE)

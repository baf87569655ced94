"""Real duels, two schedulers, two copies of the game service: midnight closes each game once, also after downtime."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from libs.core.calendar import INVITE_LASTS
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.scheduler.__main__ import schedule
from tests.services.copies import MIDNIGHT, Game, copy, view
from tests.until import until


@asynccontextmanager
async def service(settings: Settings, starts_at: datetime) -> AsyncIterator[Any]:
    """Two of each, by a clock that starts at this instant; gives the clock."""
    offset = starts_at - datetime.now(UTC)
    shifted = replace(settings, clock_offset=offset.total_seconds())
    now, stop = clock(shifted.offset), asyncio.Event()
    async with copy(shifted, now), copy(shifted, now), asyncio.TaskGroup() as group:  # type: ignore[arg-type]
        for _ in range(2):
            group.create_task(schedule(shifted, stop))
        yield now
        stop.set()


async def events(log: Log, game: Game) -> list[dict[str, Any]]:
    return [event for record in await log.load(game.id) for event in msgspec.json.decode(record.data)["events"]]


async def ends(log: Log, game: Game, tag: str = "ended") -> list[dict[str, Any]]:
    return [event for event in await events(log, game) if event["type"] == tag]


async def test_midnight_ends_every_game_once_at_midnight_exactly(
    settings: Settings, connection: Connection, log: Log
) -> None:
    chats = ChatStore(connection)
    async with service(settings, MIDNIGHT - timedelta(seconds=4)) as now:
        games = [await Game(connection, now).started() for _ in range(20)]
        solved, *_ = games
        await solved.guess(solved.ann, "banal")
        await chats.add(solved.id, "m", b"well done", timedelta(hours=1))
        for game in games:
            await until(lambda game=game: ends(log, game), 20)
            (end,) = await ends(log, game)
            assert datetime.fromisoformat(end["at"]) == MIDNIGHT
        assert view(await solved.look(solved.ann))["result"]["outcome"] == "win"
        assert view(await games[1].look(games[1].ann))["result"]["outcome"] == "not_counted"
        await until(lambda: _is_silent(chats, solved))


async def _is_silent(chats: ChatStore, game: Game) -> bool:
    return not await chats.read(game.id)


async def test_what_time_ended_while_all_were_down_is_ended_at_start(
    settings: Settings, connection: Connection, log: Log
) -> None:
    async with service(settings, MIDNIGHT - timedelta(hours=1)) as now:
        game, invite = await Game(connection, now).started(), Game(connection, now)
        expires = datetime.fromisoformat(view(await invite.open())["invite"]["expires_at"])
    async with service(settings, MIDNIGHT + INVITE_LASTS + timedelta(days=1)):
        (end,) = await until(lambda: ends(log, game), 20)
        (expiry,) = await until(lambda: ends(log, invite, "expired"), 20)
    assert datetime.fromisoformat(end["at"]) == MIDNIGHT
    assert datetime.fromisoformat(expiry["at"]) == expires

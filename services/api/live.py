"""WS /games/{id}/live: what a player may see, as it happens."""

from contextlib import suppress
from typing import Any, NamedTuple

from litestar import websocket

from libs.core.calendar import eastern_day
from libs.core.calls import Answer, Look, Person
from libs.core.daily import attempt_id
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason
from services.api.asking import ask, game_id, look
from services.api.edge import told, understood
from services.api.feed import Feed
from services.api.feeds import SESSION_ENDED, Watcher
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.visits import Visit, WebSocket


@websocket("/games/{game:str}/live")
async def live(socket: WebSocket, game: str) -> None:
    """Send views, each version once and in order, and chat; whoever may not see them is refused before the upgrade."""
    try:
        await _follow(socket, game)
    except Exception as error:
        if socket.connection_state != "init":
            raise
        await refuse(socket, error)


async def refuse(socket: WebSocket, error: Exception) -> None:
    """Answer the handshake with a problem."""
    await told(understood(error)).deny(socket.send)


async def _follow(socket: WebSocket, text: str) -> None:
    parts, visit = socket.parts, socket.visit
    session, game, after = visit.who, game_id(text), _after(socket.query_params.get("after"))
    async with parts.feeds.counted(session.player, limited=parts.limits.on):
        seat = await _seat(parts, visit, game)

        async def look_since(since: int | None) -> Answer:
            return await ask(parts, Look(game=game, by=Person(id=seat.player), after=since))

        feed = Feed(game, after, look_since, parts.names, parts.now)
        async with parts.feeds.listening(feed, seat.player):
            if seat.begun:
                await feed.begin()
            await socket.accept()
            watcher = Watcher(feed, session.id, _closing(socket))
            async with parts.feeds.watched(watcher):
                feed.start(_sending(socket), watcher.close)
                if session.id in parts.ended:
                    await watcher.close(SESSION_ENDED)
                await _until_closed(socket)


class _Seat(NamedTuple):
    player: PlayerId
    begun: bool


async def _seat(parts: Parts, visit: Visit, game: GameId) -> _Seat:
    """Whose views are sent. One's own Daily can be followed before it is begun. Raises `Problem`."""
    try:
        return _Seat((await look(parts, visit, game)).player, begun=True)
    except Problem as problem:
        own = visit.who.player
        if problem.code != Reason.UNKNOWN_GAME or game != attempt_id(own, eastern_day(visit.received)):
            raise
    return _Seat(own, begun=False)


def _after(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Problem("malformed", detail="A version: a whole number, not negative.", where="after")
    return int(text)


async def _until_closed(socket: WebSocket) -> None:
    while True:
        message: Any = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return


def _sending(socket: WebSocket) -> Any:
    async def send(text: str) -> None:
        await socket.send({"type": "websocket.send", "bytes": None, "text": text})

    return send


def _closing(socket: WebSocket) -> Any:
    async def close(code: int) -> None:
        with suppress(Exception):  # it may be closed already, and each server says so differently
            await socket.send({"type": "websocket.close", "code": code, "reason": ""})

    return close

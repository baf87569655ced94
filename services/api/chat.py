"""Chat: what the two players of a game say to each other, until its midnight."""

import unicodedata
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from litestar import get
from msgspec import Struct

from libs.core.calls import Answer
from libs.core.refusals import Reason, Refused
from services.api import said
from services.api.accounts import players
from services.api.asking import game_id, is_open, look
from services.api.doc import answers, post, problems
from services.api.limits import CHAT_OF_PLAYER
from services.api.moves import Nothing
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.said import Message, Said
from services.api.visits import Request, Visit

LONGEST = 500  # code points
MOST = 1000  # messages of one player in one game

_MUTE = "insert into mutes (player, game) values (%s, %s) on conflict do nothing"
_UNMUTE = "delete from mutes where player = %s and game = %s"
_IS_MUTED = "select exists (select 1 from mutes where player = %s and game = %s)"
_REPORT = """
insert into reports (game, message, reporter, about, made_at) values (%s, %s, %s, %s, %s) on conflict do nothing
"""


class Text(Struct, forbid_unknown_fields=True):
    """Something to say."""

    text: str


class Mute(Struct, forbid_unknown_fields=True):
    """Whether to read the other one."""

    muted: bool


class Chat(Struct, kw_only=True):
    """A chat as one of its players sees it; nobody can write once `open_until` is null."""

    open_until: datetime | None
    messages: list[Message]
    muted: bool


@get("/games/{game:str}/chat", summary="Read the chat", responses=answers(Chat) | problems(seat=True))
async def read(request: Request, game: str) -> Reply:
    """All messages of the game's day."""
    parts = request.parts
    answer = await look(parts, request.visit, game_id(game))
    messages: list[Said] = []
    until = answer.chat_until
    if is_open(until, parts.now()):
        messages = await _messages(parts, game)
    else:
        until = None
    chat = Chat(
        open_until=until, messages=await said.shown(parts.names, messages), muted=await _is_muted(parts, answer)
    )
    return reply(chat)


@post(
    "/games/{game:str}/chat",
    summary="Say something",
    responses=answers(Message, 201)
    | problems("player_unavailable", "muted", "chat_closed", "chat_empty", "chat_too_long", "reads_down", seat=True),
)
async def say(request: Request, game: str, data: Text) -> Reply:
    """Send a message, once for each key. Nothing of it is kept after the game's midnight."""
    parts, visit = request.parts, request.visit
    text = _text(data.text)
    answer = await look(parts, visit, game_id(game))
    now = parts.now()
    if answer.chat_until is None or not is_open(answer.chat_until, now):
        raise Refused(Reason.CHAT_CLOSED)
    await parts.blocks.require_none(answer.player, answer.players)
    await parts.muting.require_voice(answer.player, now)
    one = Said(id=_id(answer.player, visit), by=answer.player, text=text, at=now, until=answer.chat_until)
    known = await parts.tally.ids(parts.link.chats, game, answer.player)
    kept = await _message(parts, game, one.id) if one.id in known else None
    if kept is None:
        parts.limits.special(CHAT_OF_PLAYER, answer.player)
        if len(known) >= MOST:
            raise Problem("rate_limited", retry_after=(answer.chat_until - now).total_seconds())
        kept = said.decode(await parts.link.chats.add(game, one.id, said.encode(one), answer.chat_until - now))
        if visit.who.id in parts.ended:  # perhaps since the account was deleted, with all that it had said until then
            await _take_back(parts, game, one.id)
            raise Problem("unauthorized")
    if kept.text != text:
        raise Refused(Reason.KEY_REUSED)
    [message] = await said.shown(parts.names, [kept])
    return reply(message, 201)


@post(
    "/games/{game:str}/chat/mute",
    summary="Mute the other player",
    status_code=200,
    responses=answers(Mute) | problems(seat=True),
)
async def mute(request: Request, game: str, data: Mute) -> Reply:
    """Choose whether to read the other player in this game. They are not told."""
    parts = request.parts
    answer = await look(parts, request.visit, game_id(game))
    async with parts.database.transaction() as connection:
        await players.require_here(connection, answer.player)
        await connection.execute(_MUTE if data.muted else _UNMUTE, (answer.player, game))
    return reply(data)


@post(
    "/games/{game:str}/chat/{message:str}/report",
    summary="Report a message",
    status_code=202,
    responses=answers(Nothing, 202) | problems("unknown_message", "reads_down", seat=True),
)
async def report(request: Request, game: str, message: str, data: Nothing | None = None) -> Reply:
    """Tell the moderators. A report keeps who, when and which game, and never the text."""
    parts = request.parts
    answer = await look(parts, request.visit, game_id(game))
    found = await _message(parts, game, message)
    if found is None or found.by == answer.player or not is_open(answer.chat_until, parts.now()):
        raise Problem("unknown_message")
    async with parts.database.connection() as connection:
        await connection.execute(_REPORT, (game, message, answer.player, found.by, parts.now()))
    return reply({}, 202)


def _text(text: str) -> str:
    """What was meant to be said. Raises `Refused`."""
    text = unicodedata.normalize("NFC", text)
    if not any(unicodedata.category(letter)[0] not in "CZ" for letter in text):
        raise Refused(Reason.CHAT_EMPTY)
    if len(text) > LONGEST:
        raise Refused(Reason.CHAT_TOO_LONG)
    return text


def _id(player: str, visit: Visit) -> str:
    """The same for the same player and key, so that a repeated request is known by it."""
    return str(UUID(bytes=sha256(f"{player}:{visit.key}".encode()).digest()[:16]))


async def _messages(parts: Parts, game: str) -> list[Said]:
    records = await parts.link.chats.read(game)
    return list({one.id: one for one in (said.decode(record.data) for record in records)}.values())


async def _take_back(parts: Parts, game: str, message: str) -> None:
    for record in await parts.link.chats.read(game):
        if said.decode(record.data).id == message:
            await parts.link.chats.remove(record.sequence)


async def _message(parts: Parts, game: str, message: str) -> Said | None:
    return next((one for one in await _messages(parts, game) if one.id == message), None)


async def _is_muted(parts: Parts, answer: Answer) -> bool:
    [[muted]] = await parts.database.rows(_IS_MUTED, (answer.player, answer.game))
    return bool(muted)

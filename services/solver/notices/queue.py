"""Queueing notices: who wants to hear of it, in which ways; a mail and pushes with their tasks, in one transaction.

The tables are those of the api (its 0012_notices.sql).
"""

from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from psycopg import AsyncConnection
from psycopg.rows import class_row

from libs.core.messages import PlayerId
from libs.core.notices import sentences
from libs.core.notices.occasions import Notice, Occasion
from libs.runtime import ids, tasks
from libs.runtime.metrics import NOTICES

_WANTED_BY = """
select me.id as player, me.email, c.language, c.unsubscribe,
    me.email is not null and %(occasion)s = any(c.mail) as by_mail, %(occasion)s = any(c.push) as by_push,
    them.id as other, them.name
from players seat
join players me on me.id = coalesce(seat.merged_into, seat.id) and not me.guest and me.gone_at is null
join notice_choices c on c.player = me.id
join players across on across.id = %(other)s
join players them on them.id = coalesce(across.merged_into, across.id) and them.gone_at is null
where seat.id = %(seat)s and them.id <> me.id and %(occasion)s = any(c.mail || c.push)
    and not exists (select 1 from blocks where (player, blocked) in ((me.id, them.id), (them.id, me.id)))
    and not exists (select 1 from moderation.players where player in (me.id, them.id) and closed)
"""
_ONCE = """
insert into notices (id, player, occasion, event, made_at) values (%s, %s, %s, %s, %s)
on conflict (occasion, event, player) do nothing returning id
"""
_MAIL = """
insert into mails (id, recipient, subject, body, made_at, player, names, until, unsubscribe)
values (%(id)s, %(to)s, %(subject)s, %(body)s, %(now)s, %(player)s, %(names)s, %(until)s, %(stop)s)
"""
_BROWSERS = """
select id, language from push_subscriptions s where player = %s and (
    session is null or exists (select 1 from sessions where id = s.session and ended_at is null)
)
"""
_PUSH = """
insert into pushes (id, subscription, body, topic, names, until, made_at)
values (%(id)s, %(subscription)s, %(body)s, %(topic)s, %(names)s, %(until)s, %(now)s)
"""


class Wish(Struct, kw_only=True):
    """An account that wants to hear of something, and in which ways; `other` and `name`: of whom, if of anybody."""

    player: PlayerId
    email: str | None
    language: str
    unsubscribe: str
    by_mail: bool
    by_push: bool
    other: PlayerId | None = None
    name: str | None = None


class Message(Struct, frozen=True, kw_only=True):
    """What there is to say: of what, leading to which page, and until when it is of use."""

    occasion: Occasion
    event: str  # what makes it another than all before
    path: str
    until: datetime


async def wish(connection: AsyncConnection[Any], notice: Notice) -> Wish | None:
    """The account in the notice's seat, if it wants to hear of that; nobody hears of whom they have blocked."""
    asked = {"occasion": notice.occasion, "seat": notice.seat, "other": notice.other}
    async with connection.cursor(row_factory=class_row(Wish)) as cursor:
        await cursor.execute(_WANTED_BY, asked)
        return await cursor.fetchone()


async def put(connection: AsyncConnection[Any], wish: Wish, message: Message, address: str, now: datetime) -> bool:
    """Queue it in every way that is wanted, within a transaction; not if it was queued before.

    `address` is what links begin with.
    """
    once = (ids.new_id(), wish.player, message.occasion, message.event, now)
    new = await (await connection.execute(_ONCE, once)).fetchone() is not None
    NOTICES.labels(message.occasion, "queued" if new else "again").inc()
    if new and wish.by_mail:
        await _mail(connection, wish, message, address, now)
    if new and wish.by_push:
        await _push(connection, wish, message, now)
    return new


async def _mail(connection: AsyncConnection[Any], wish: Wish, message: Message, address: str, now: datetime) -> None:
    told = sentences.told(wish.language, message.occasion, wish.name or "")
    stop = f"{address}/unsubscribe/{wish.unsubscribe}"
    id_ = ids.new_id()
    mail = {
        "id": id_,
        "to": wish.email,
        "subject": told.title,
        "body": sentences.mail(wish.language, told, address + message.path, stop),
        "now": now,
        "player": wish.player,
        "names": _names(wish),
        "until": message.until,
        "stop": stop,
    }
    await connection.execute(_MAIL, mail)
    await connection.execute(tasks.QUEUE, tasks.mail_task(id_))


async def _push(connection: AsyncConnection[Any], wish: Wish, message: Message, now: datetime) -> None:
    for browser, language in await (await connection.execute(_BROWSERS, (wish.player,))).fetchall():
        told = sentences.told(language, message.occasion, wish.name or "")
        topic = f"{message.occasion}:{message.path}"
        shown = {"title": told.title, "text": told.text, "language": language, "path": message.path, "tag": topic}
        id_ = ids.new_id()
        push = {
            "id": id_,
            "subscription": browser,
            "body": msgspec.json.encode(shown).decode(),
            "topic": topic,
            "names": _names(wish),
            "until": message.until,
            "now": now,
        }
        await connection.execute(_PUSH, push)
        await connection.execute(tasks.QUEUE, tasks.push_task(id_))


def _names(wish: Wish) -> list[PlayerId]:
    return [wish.other] if wish.other else []

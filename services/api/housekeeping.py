"""Forgetting what is no longer needed: answered keys, old links, sessions and tokens out of use, silent browsers."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta

from libs.runtime.ids import between
from services.api import requests
from services.api.accounts.sessions import LIFETIME, TOKEN_LIFETIME
from services.api.database import Database
from services.api.parts import Parts
from services.api.problems import Problem

EVERY = 600.0  # seconds
LINKS_KEPT = timedelta(days=1)
MARGIN = timedelta(days=7)  # the day of a session's last use is written late, and not at all if a copy is killed

_LINKS = "delete from sign_ins where made_at < %s"
_RETURNS = "delete from returns where at < %s"
_SESSIONS = "delete from sessions where ended_at < %s or (ended_at is null and seen_on < %s)"
_BROWSERS = """
delete from push_subscriptions s where session is not null
and not exists (select 1 from sessions where id = s.session and ended_at is null)
"""
_TOKENS = "delete from api_tokens where made_at < %s"


async def tidy(database: Database, now: datetime) -> None:
    """Forget what is too old at this instant. Raises `Problem`."""
    async with database.connection() as connection:
        await requests.forget(connection, now)
        await connection.execute(_LINKS, (now - LINKS_KEPT,))
        await connection.execute(_RETURNS, (now - LINKS_KEPT,))
        await connection.execute(_SESSIONS, (now - LIFETIME, (now - LIFETIME - MARGIN).date()))
        await connection.execute(_BROWSERS)
        await connection.execute(_TOKENS, (now - TOKEN_LIFETIME,))


async def keep_tidy(parts: Parts) -> None:
    """Forget now and then, for ever."""
    while True:
        await asyncio.sleep(between(EVERY / 2, EVERY))
        with suppress(Problem):
            await tidy(parts.database, parts.now())

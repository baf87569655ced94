"""Accounts that operators have closed: nobody signs in to them."""

from libs.core.messages import PlayerId
from services.api.database import Connection
from services.api.problems import Problem

_CLOSED = "select exists (select 1 from moderation.players where player = %s and closed)"


async def require_open(connection: Connection, account: PlayerId) -> None:
    """Go on if this account is not closed. Raises `Problem` (account_closed)."""
    if (await (await connection.execute(_CLOSED, (account,))).fetchone()) == (True,):
        raise Problem("account_closed")

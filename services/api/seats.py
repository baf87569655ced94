"""Where a player sits: at games of the account, and at those of the guests that it has been."""

from libs.core.messages import PlayerId
from services.api.accounts.sessions import Session
from services.api.parts import Parts


async def seats(parts: Parts, session: Session) -> tuple[PlayerId, ...]:
    """Every id under which this player may sit at a game."""
    if session.guest:
        return session.seats
    return tuple(dict.fromkeys((*session.seats, *await parts.names.aliases(session.player))))

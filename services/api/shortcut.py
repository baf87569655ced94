"""The shortcut around the router for the one request that comes by the thousand: a guess.

It does what `moves.guess` does, and every refusal is the same; routing, binding and unbinding cost as much again as all
the rest of the edge.
"""

import re

from services.api.moves import Guess, guessed
from services.api.parts import Parts
from services.api.replies import Receive, Reply, Scope
from services.api.visits import Visit, decode, read_body

ROUTE = "/api/v1/games/{game}/guesses"

_PATH = re.compile(re.escape(ROUTE).replace(r"\{game\}", "([^/]+)"))


def game_of(scope: Scope) -> str | None:
    """The game of a guess; none for every other request."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return None
    found = _PATH.fullmatch(scope["path"])
    return found[1] if found else None


async def guess(parts: Parts, visit: Visit, game: str, receive: Receive) -> Reply:
    """Take a guess. Raises whatever the router would turn into a problem."""
    body: Guess = decode(await read_body(receive, visit.headers), visit.headers, Guess)
    return await guessed(parts, visit, game, body)

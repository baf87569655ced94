"""Questions to the game service: a command or a look, stamped with who asks and when."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from libs.core.calls import TRY_AGAIN, Answer, Call, Do, Look, Person
from libs.core.messages import GameId
from libs.core.refusals import Reason, Refused
from libs.core.version import VERSION
from libs.runtime.bus import Unavailable
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply
from services.api.visits import Visit

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_encoder = msgspec.json.Encoder()


def game_id(text: str) -> GameId:
    """A game's id from an address. Raises `Refused` (unknown_game) for anything that is none."""
    if not _UUID.fullmatch(text):
        raise Refused(Reason.UNKNOWN_GAME)
    return text


async def ask(parts: Parts, call: Call) -> Answer:
    """The game service's answer. Raises `Problem` if it refuses, `Unavailable` if it does not answer."""
    answer = await parts.link.ask(call)
    if answer.refused is None:
        return answer
    if answer.refused == TRY_AGAIN:
        raise Unavailable
    raise Problem(answer.refused, **(answer.facts or {}))


async def ask_as(parts: Parts, visit: Visit, call: Callable[[Person], Call]) -> Answer:
    """The same for somebody who may sit at the game as a guest that the session does not know of.

    It joined the account from another browser, after this session had begun.
    """
    person = visit.person
    try:
        return await ask(parts, call(person))
    except Problem as problem:
        if problem.code != Reason.NOT_A_PLAYER or person.guest:
            raise
        aliases = await parts.names.aliases(person.id)
        if set(aliases) <= set(person.aliases):
            raise
        return await ask(parts, call(replace(person, aliases=aliases)))


async def command(
    parts: Parts, visit: Visit, game: GameId, what: dict[str, Any], kind: str | None = None, origin: str = ""
) -> Answer:
    """Give a command; with `kind` it makes the game. `origin` is what may be told of the address. Raises `Problem`."""

    def do(person: Person) -> Do:
        return Do(
            game=game,
            by=replace(person, origin=origin) if origin else person,
            key=visit.key,
            received=visit.received,
            command=Raw(_encoder.encode(what)),
            kind=kind,
            v=VERSION,
        )

    return await ask_as(parts, visit, do)


async def look(parts: Parts, visit: Visit, game: GameId, after: int | None = None) -> Answer:
    """Look at a game. Raises `Problem`."""
    return await ask_as(parts, visit, lambda person: Look(game=game, by=person, after=after))


async def named(parts: Parts, answer: Answer) -> bytes:
    """The newest view of an answer, as JSON with names."""
    return await parts.names.fill(bytes(answer.seen[-1].view))


async def view_of(parts: Parts, answer: Answer, status: int = 200) -> Reply:
    """The newest view of an answer, as an answer of ours."""
    return Reply(await named(parts, answer), status)


def is_open(until: datetime | None, now: datetime) -> bool:
    """Is a chat that is open until then (never, if none) open now?"""
    return until is not None and now < until

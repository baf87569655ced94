"""One game as its player sees it, and everything about it once it has ended."""

from typing import Any

import msgspec
from litestar import get
from msgspec import Struct

from libs.core.calls import LookAtAudit
from services.api.asking import ask_as, game_id, look, named
from services.api.doc import VIEW, answers, problems
from services.api.names import Player
from services.api.replies import Reply, reply, versioned
from services.api.visits import Request


class Audit(Struct, kw_only=True):
    """All that happened, and what the commitments were made for; keys are ids of players."""

    game: str
    kind: str
    words: str
    events: list[dict[str, Any]]
    commitments: dict[str, str | None]
    salts: dict[str, str | None]
    secrets: dict[str, str | None]
    players: list[Player]
    result: dict[str, Any] | None


@get("/games/{game:str}", summary="Look at a game", responses=VIEW | problems(seat=True))
async def view(request: Request, game: str) -> Reply:
    """What the player may see."""
    answer = await look(request.parts, request.visit, game_id(game))
    return versioned(request.visit.headers, answer.seen[-1].version, await named(request.parts, answer))


@get(
    "/games/{game:str}/audit",
    summary="Check an ended game",
    responses=answers(Audit) | problems("not_ended", "not_possible", seat=True),
)
async def audit(request: Request, game: str) -> Reply:
    """Every event, commitment, salt and secret, so that a player can check that all was right."""
    parts, id_ = request.parts, game_id(game)
    answer = await ask_as(parts, request.visit, lambda person: LookAtAudit(game=id_, by=person))
    body: dict[str, Any] = msgspec.json.decode(answer.body)
    people = await parts.names.of(answer.players)
    body["players"] = [Player(seat, people[seat].name) for seat in answer.players]
    body["result"] = next((event for event in body["events"] if event["type"] == "ended"), None)
    return reply(body).add("cache-control", "private, no-cache")

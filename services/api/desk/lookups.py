"""/desk/lookups: a game as one of its players saw it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from libs.core.calls import Answer, Look, Person, Seen
from libs.core.games.daily.state import KIND as DAILY
from libs.core.games.daily.view import DailyView
from libs.core.games.person.commands import Why
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason
from services.api.asking import ask, game_id
from services.api.desk.operators import act, operator
from services.api.desk.people import OF_ACTS
from services.api.doc import answers, post, problems
from services.api.names import Player
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.seats import seats
from services.api.visits import Request

_board = msgspec.json.Decoder(DailyView)


class LookUp(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which game, by whose eyes, and why; at its `version`-th record, or the newest one."""

    game: GameId
    player_id: PlayerId
    why: Why
    version: Annotated[int, Meta(ge=1)] | None = None


class LookedUp(Struct, kw_only=True):
    """The view that the player had at this version of so many."""

    game: GameId
    kind: str
    player: Player
    version: int
    versions: int
    view: Raw


@post(
    "/desk/lookups",
    summary="Look at a game as a player saw it",
    status_code=200,
    responses=answers(LookedUp) | problems("unknown_game", "unknown_version", "not_a_player", "not_ended", *OF_ACTS),
)
async def look_up(request: Request, data: LookUp) -> Reply:
    """The whole view of a player, and nothing that they could not see. Who looked, and why, is told in the log first.

    Who sits at the game themselves must wait for its end, and everybody for that of the Daily's day (not_ended).
    """
    session, parts = await operator(request), request.parts
    answer = await ask(parts, question(game_id(data.game), data.player_id, data.version))
    seen = seen_in(answer, data.player_id, data.version)
    require_apart(answer, await seats(parts, session), parts.now())
    what = {"type": "look_up", "in_game": data.game, "version": seen.version, "why": data.why}
    await act(parts, request.visit, data.player_id, what)
    people = await parts.names.of([data.player_id])
    found = LookedUp(
        game=data.game,
        kind=answer.kind,
        player=people[data.player_id],
        version=seen.version,
        versions=answer.seen[-1].version,
        view=Raw(await parts.names.fill(bytes(seen.view))),
    )
    return reply(found)


def question(game: GameId, player: PlayerId, version: int | None) -> Look:
    """How the game service is asked for what this seat saw at this version; none: sees now."""
    return Look(game=game, by=Person(id=player), after=None if version is None else version - 1)


def seen_in(answer: Answer, player: PlayerId, version: int | None) -> Seen:
    """The view that was asked for, in the answer. Raises `Problem` (not_a_player, unknown_version)."""
    if player not in answer.players:
        raise Problem(Reason.NOT_A_PLAYER)
    versions = answer.seen[-1].version
    seen = next((one for one in answer.seen if one.version == (version or versions)), None)
    if seen is None:  # there is no such version, or the player has come later
        raise Problem("unknown_version" if version and version > versions else Reason.NOT_A_PLAYER)
    return seen


def require_apart(answer: Answer, own: Iterable[PlayerId], now: datetime) -> None:
    """Go on unless the operator, who may sit at games by these ids, plays for what the view may show.

    That is in this very game before its end; or in the Daily, whose word is everybody's until its midnight. Raises
    `Problem` (not_ended).
    """
    if answer.kind == DAILY and now < _board.decode(answer.seen[-1].view).closes_at:
        raise Problem(Reason.NOT_ENDED)
    if not answer.ended and set(own) & set(answer.players):
        raise Problem(Reason.NOT_ENDED)

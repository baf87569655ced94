"""/desk/players/{id}: a player, and what operators do about them."""

from functools import partial
from typing import Any

from litestar import get
from msgspec import Struct

from libs.core.games.person.commands import Seconds, Why
from services.api.desk.operators import account_of, act, operator
from services.api.desk.standing import Standing, standing
from services.api.doc import answers, post, problems
from services.api.replies import Reply, reply
from services.api.visits import Request

REFUSALS = ("unauthorized", "not_an_operator", "unknown_player", "reads_down")
OF_ACTS = (*REFUSALS, "csrf", "bad_key", "key_reused", "try_again")


_acting = partial(post, status_code=200, responses=answers(Standing) | problems(*OF_ACTS))
"""The route of an act, which answers with how things stand afterwards."""


class Reason(Struct, forbid_unknown_fields=True, kw_only=True):
    """Why it is done, in one line. It is kept for ever: name nobody."""

    why: Why


class Silence(Reason, forbid_unknown_fields=True, kw_only=True):
    """Why, and for how many seconds; for good, if none are said."""

    seconds: Seconds | None = None


@get(
    "/desk/players/{player_id:str}",
    summary="Look at a player, as an operator",
    responses=answers(Standing) | problems(*REFUSALS),
)
async def player(request: Request, player_id: str) -> Reply:
    """How things stand with a player, found by any id under which they sit at a game."""
    await operator(request)
    return reply(await standing(request.parts, await account_of(request.parts, player_id)))


@_acting("/desk/players/{player_id:str}/mute", summary="Mute a player in all chats")
async def mute(request: Request, player_id: str, data: Silence) -> Reply:
    """Let a player write in no chat, for a time or for good; a mute that is in force is replaced."""
    return await _act(request, player_id, {"type": "mute", "why": data.why, "seconds": data.seconds})


@_acting("/desk/players/{player_id:str}/unmute", summary="Let a muted player write again")
async def unmute(request: Request, player_id: str, data: Reason) -> Reply:
    """Take a mute back."""
    return await _act(request, player_id, {"type": "unmute", "why": data.why})


@_acting("/desk/players/{player_id:str}/rename", summary="Take a player's name")
async def rename(request: Request, player_id: str, data: Reason) -> Reply:
    """Give a player a generated name instead of their own; an account may choose again."""
    return await _act(request, player_id, {"type": "rename", "why": data.why})


@_acting(
    "/desk/players/{player_id:str}/close",
    summary="Close an account",
    responses=answers(Standing) | problems("own_account", *OF_ACTS),
)
async def close(request: Request, player_id: str, data: Reason) -> Reply:
    """End all sessions and tokens, and refuse every sign-in; games go on, and end by their rules. Not one's own."""
    return await _act(request, player_id, {"type": "close", "why": data.why})


@_acting("/desk/players/{player_id:str}/reopen", summary="Reopen an account")
async def reopen(request: Request, player_id: str, data: Reason) -> Reply:
    """Let the player of a closed account sign in again."""
    return await _act(request, player_id, {"type": "reopen", "why": data.why})


async def _act(request: Request, player_id: str, what: dict[str, Any]) -> Reply:
    await operator(request)
    account = await account_of(request.parts, player_id)
    await act(request.parts, request.visit, account, what)
    return reply(await standing(request.parts, account))

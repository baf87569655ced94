"""Moves in any game: decode, stamp, ask the game service, answer with the view."""

from typing import Any

import msgspec
from msgspec import Struct

from services.api.asking import command, game_id, look, view_of
from services.api.doc import VIEW, post, problems
from services.api.parts import Parts
from services.api.replies import Reply
from services.api.visits import Request, Visit


class Guess(Struct, forbid_unknown_fields=True):
    """A guess."""

    word: str


class Secret(Struct, forbid_unknown_fields=True):
    """The word that the other shall find."""

    secret: str


class Nothing(Struct, forbid_unknown_fields=True):
    """No fields."""


class _State(Struct):
    state: str


_state = msgspec.json.Decoder(_State)


@post(
    "/games/{game:str}/guesses",
    summary="Guess a word",
    status_code=200,
    responses=VIEW | problems("letters", "unknown_word", "too_early", "closed", "finished", seat=True),
)
async def guess(request: Request, game: str, data: Guess) -> Reply:
    """Take a guess once, however often it is sent with the same key; the answer is the view right after it."""
    return await guessed(request.parts, request.visit, game, data)


async def guessed(parts: Parts, visit: Visit, game: str, guess: Guess) -> Reply:
    """The answer to a guess."""
    what = {"type": "guess", "word": guess.word}
    return await view_of(parts, await command(parts, visit, game_id(game), what))


@post(
    "/games/{game:str}/secret",
    summary="Set the secret",
    status_code=200,
    responses=VIEW | problems("letters", "not_a_secret", "secret_set", "closed", "player_unavailable", seat=True),
)
async def secret(request: Request, game: str, data: Secret) -> Reply:
    """Set the word that the rival shall find. It never changes."""
    answer = await look(request.parts, request.visit, game_id(game))
    if _state.decode(answer.seen[-1].view).state == "waiting":  # so far it is no more than an invite
        await request.parts.blocks.require_none(answer.player, answer.players)
    return await _move(request, game, {"type": "secret", "secret": data.secret})


@post(
    "/games/{game:str}/resign",
    summary="Give up",
    status_code=200,
    responses=VIEW | problems("not_possible", "closed", seat=True),
)
async def resign(request: Request, game: str, data: Nothing | None = None) -> Reply:
    """Give up, in games that can be given up."""
    return await _move(request, game, {"type": "resign"})


async def _move(request: Request, game: str, what: dict[str, Any]) -> Reply:
    return await view_of(request.parts, await command(request.parts, request.visit, game_id(game), what))

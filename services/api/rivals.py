"""Rivals: the record against each, and today's game with them."""

import asyncio
from typing import Any

import msgspec
from litestar import get
from msgspec import Struct

from libs.core.calendar import eastern_day
from libs.core.calls import Answer
from libs.core.marks import letters
from libs.core.refusals import Reason, Refused
from libs.runtime.bus import Unavailable
from libs.runtime.ids import new_id
from services.api import requests
from services.api.asking import command, look, named, view_of
from services.api.doc import VIEW, answers, post, problems
from services.api.names import Player
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request, Visit

KIND = "duel"

_RECORDS = """
select rival, kind, wins, losses, draws, played from results.rivals
where player = %(player)s and rival not in (select blocked from blocks where player = %(player)s)
order by last_day desc, rival
"""
_TODAY = """
select them.player, g.id::text, me.seat, me.guesses, g.state from games.seats me
join games.games g on g.id = me.game and g.kind = %(kind)s and g.day = %(day)s
join games.seats them on them.game = me.game and them.seat <> me.seat and not them.guest
where me.player = %(player)s and not me.guest
"""
_IS_RIVAL = "select exists (select 1 from results.rivals where player = %s and rival = %s and kind = %s)"


class Record(Struct, kw_only=True):
    """How two stand against each other; `played` counts games without a winner too."""

    wins: int
    losses: int
    draws: int
    played: int


class Today(Struct, kw_only=True):
    """Today's game with a rival; null where the game service could not be asked."""

    game: str
    state: str
    your_secret_set: bool | None


class Rival(Struct, kw_only=True):
    """A rival, the records by kind of game, and today's game."""

    player: Player
    records: dict[str, Record]
    today: Today | None


class Rivals(Struct, kw_only=True):
    """All rivals, the one played last first."""

    rivals: list[Rival]


class Challenge(Struct, forbid_unknown_fields=True):
    """Today's game with this rival, and the word that they shall find."""

    rival_id: str
    secret: str


@get("/rivals", summary="List rivals", responses=answers(Rivals) | problems("unauthorized", "reads_down"))
async def rivals(request: Request) -> Reply:
    """Everybody with whom the account has played as an account, but for whom it has blocked; a guest has none."""
    parts, visit = request.parts, request.visit
    player = visit.who.player
    records = await parts.database.rows(_RECORDS, {"player": player})
    asked = {"kind": KIND, "day": eastern_day(parts.now()), "player": player}
    playing = await parts.database.rows(_TODAY, asked)
    todays = await asyncio.gather(*(_today(parts, visit, *row[1:]) for row in playing))
    today = {row[0]: game for row, game in zip(playing, todays, strict=True)}
    found: dict[str, Rival] = {}
    people = await parts.names.of({rival for rival, *_ in records})
    for rival, kind, *record in records:
        wins, losses, draws, played = record
        entry = found.setdefault(rival, Rival(player=people[rival], records={}, today=today.get(rival)))
        entry.records[kind] = Record(wins=wins, losses=losses, draws=draws, played=played)
    return reply(Rivals(rivals=list(found.values())))


async def _today(parts: Parts, visit: Visit, game: str, seat: int, guesses: int, state: str) -> Today:
    """The maker has set a secret by making the game, and who has guessed has set one; the others are looked up."""
    if state == "over":
        return Today(game=game, state="finished", your_secret_set=True)
    try:
        view = await _view(parts, await look(parts, visit, game))
    except (Problem, Unavailable):
        return Today(game=game, state="playing", your_secret_set=True if seat == 0 or guesses else None)
    return Today(game=game, state=view["state"], your_secret_set=view["you"]["secret"] is not None)


@post(
    "/duels",
    summary="Play a rival today",
    responses=answers(VIEW[200].data_container, 201, "The game was made")
    | VIEW
    | problems(
        "letters",
        "not_a_secret",
        "not_a_rival",
        "player_unavailable",
        "rival_game_exists",
        "closed",
        "reads_down",
        seat=True,
    ),
)
async def challenge(request: Request, data: Challenge) -> Reply:
    """Make today's game; or take the second seat with this secret, if the rival has made it."""
    parts, visit = request.parts, request.visit
    player = visit.who.player
    if visit.who.guest or not await _is_rival(parts, player, data.rival_id):
        raise Refused(Reason.NOT_A_RIVAL)
    scope = f"second:{player}:{data.rival_id}"
    async with parts.database.connection() as connection:
        before = await requests.recalled(connection, scope, visit.key)
    if before:  # asked again, perhaps after midnight: it is still about the game that it was about
        return await _second(parts, visit, before.decode(), data.secret)
    await parts.blocks.require_none(player, [data.rival_id])
    make = {"type": "open", "game": (game := new_id()), "rival": data.rival_id, "secret": data.secret}
    try:
        return await view_of(parts, await command(parts, visit, game, make, KIND), 201)
    except Problem as problem:
        if problem.code != Reason.RIVAL_GAME_EXISTS:
            raise
        there: str = problem.facts["game"]
    async with parts.database.transaction() as connection:
        known = await requests.answered(connection, scope, visit.key, b"", parts.now())
        if known is None:
            await requests.remember(connection, scope, visit.key, there.encode())
    return await _second(parts, visit, known.decode() if known else there, data.secret)


async def _second(parts: Parts, visit: Visit, game: str, secret: str) -> Reply:
    try:
        return await view_of(parts, await command(parts, visit, game, {"type": "secret", "secret": secret}))
    except Problem as problem:
        if problem.code not in (Reason.SECRET_SET, Reason.CLOSED):
            raise
        refused = problem
    answer = await look(parts, visit, game)
    if (await _view(parts, answer))["you"]["secret"] != letters(secret):
        raise refused if refused.code == Reason.CLOSED else Refused(Reason.RIVAL_GAME_EXISTS, game=game)
    return await view_of(parts, answer)


async def _is_rival(parts: Parts, player: str, rival: str) -> bool:
    [[found]] = await parts.database.rows(_IS_RIVAL, (player, rival, KIND))
    return bool(found)


async def _view(parts: Parts, answer: Answer) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.json.decode(await named(parts, answer))
    return view

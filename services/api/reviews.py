"""Looking back on an ended game: made by a worker when it is first asked for, kept for whoever asks later."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec
from litestar import get
from msgspec import Raw, Struct

from libs.core.board import Row
from libs.core.calls import LookAtAudit
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused
from libs.core.solver_review import Review
from libs.runtime import tasks
from services.api.asking import ask_as, game_id
from services.api.doc import answers, problems
from services.api.parts import Parts
from services.api.replies import Reply, reply
from services.api.visits import Request, Visit

KINDS = ("duel", "daily")
"""The games whose guesses are rows of a board."""

PAUSE = 1  # seconds in which the worker has nearly always made it

_READ = "select player, review::text from reviews where game = %s"
_PUT = """
insert into reviews (game, player, rows, answer, review, made_at) values (%s, %s, %s, %s, %s, %s)
on conflict (game, player) do nothing
"""


class GameReview(Struct):
    """Both sides looked back on; none for a player without guesses, or who is not there."""

    you: Review | None
    opponent: Review | None


class Making(Struct):
    """It is being made."""


class Event(Struct):
    """What is read of an event of a game."""

    type: str
    by: PlayerId = ""
    word: str = ""
    marks: str = ""


class Ended(Struct):
    """What is read of the audit of an ended game; a secret is what the other had to find, or who plays alone."""

    players: tuple[PlayerId, ...]
    events: tuple[Event, ...]
    secrets: dict[PlayerId, str | None]


Known: TypeAlias = Mapping[PlayerId, str | None]
"""The review of each player as JSON; none where it is not made yet."""

_ended = msgspec.json.Decoder(Ended)
_encoder = msgspec.json.Encoder()


@get(
    "/games/{game:str}/review",
    summary="Look back on an ended game",
    responses=answers(GameReview)
    | answers(Making, 202, "It is being made: ask again")
    | problems("not_ended", "not_possible", "reads_down", seat=True),
)
async def review(request: Request, game: str) -> Reply:
    """How well each guess was chosen, and how lucky it was, on both sides of a duel; for who sat at the game."""
    parts, visit, id_ = request.parts, request.visit, game_id(game)
    known: Known = dict(await parts.database.rows(_READ, (id_,)))
    you = next((player for player in (visit.person.id, *visit.person.aliases) if player in known), None)
    if you is None:
        you, known = await _begin(parts, visit, id_)
    elif None in known.values():
        async with parts.database.transaction() as connection:
            await tasks.review(connection, id_)  # should the task be lost, here is another
    return _told(you, known)


async def _begin(parts: Parts, visit: Visit, game: GameId) -> tuple[PlayerId, Known]:
    """Put both sides where the worker finds them; answers with the asker's seat and what is known.

    Raises `Problem` and `Refused`.
    """
    answer = await ask_as(parts, visit, lambda person: LookAtAudit(game=game, by=person))
    if answer.kind not in KINDS:
        raise Refused(Reason.NOT_POSSIBLE)
    ended = _ended.decode(answer.body)
    async with parts.database.transaction() as connection:
        for player in ended.players:
            rows = _rows(ended.events, player)
            made = None if rows else "null"
            setter = next((other for other in ended.players if other != player), player)
            board = _encoder.encode(rows).decode()
            await connection.execute(_PUT, (game, player, board, ended.secrets[setter], made, parts.now()))
        found = await (await connection.execute(_READ, (game,))).fetchall()
        if any(made is None for _, made in found):
            await tasks.review(connection, game)
    return answer.player, dict(found)


def _rows(events: Sequence[Event], player: PlayerId) -> list[Row]:
    return [Row(event.word, event.marks) for event in events if event.type == "guessed" and event.by == player]


def _told(you: PlayerId, known: Known) -> Reply:
    sides = {"you" if player == you else "opponent": review for player, review in known.items()}
    if None in sides.values():
        return reply(Making(), 202).add("retry-after", str(PAUSE))
    body = {side: Raw((sides.get(side) or "null").encode()) for side in ("you", "opponent")}
    return reply(body).add("cache-control", "private, no-cache")

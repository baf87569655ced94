"""The solver: boards of any five-letter game, for people and programs; nobody has to be anybody."""

from functools import cache
from typing import Annotated

import msgspec
from litestar import get, post
from msgspec import Meta, Struct

from libs.core import board, lexicon, subjects
from libs.core.board import Answer, Candidate, Row
from libs.core.calls import LookBack, Refusal, Solve
from libs.core.solver_openings import openings as shipped
from libs.core.solver_review import Review
from libs.core.version import VERSION
from libs.runtime.bus import Unavailable
from libs.runtime.fleet import REFUSED, Busy, NotTaken
from services.api.doc import answers, problems
from services.api.files import CHECK_AGAIN, File
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply
from services.api.visits import Request, Visit

KEPT = "public, max-age=300"
EDITION = "wordyard-edition"
MOST = 8636
"""The words of the list."""

_encoder = msgspec.json.Encoder()
_refusal = msgspec.json.Decoder(Refusal)


class Board(Struct, forbid_unknown_fields=True):
    """Rows of a guess and its marks: C green, R yellow, I gray. At most `limit` candidates are told.

    `split` also asks for words that cannot be the answer but tell more than those that can.
    """

    rows: list[Row]
    limit: Annotated[int, Meta(ge=0, le=MOST)] = 50
    split: bool = False


class PlayedBoard(Struct, forbid_unknown_fields=True):
    """A board to look back on, with the word that was to be found if it is known."""

    rows: list[Row]
    answer: str | None = None


class Openings(Struct):
    """The best first guesses, best first."""

    edition: str
    openings: tuple[Candidate, ...]


@post(
    "/solver",
    summary="Ask the solver about a board",
    status_code=200,
    responses=answers(Answer) | problems("board_refused", "board_impossible", "solver_busy", "csrf"),
)
async def ask(request: Request, data: Board) -> Reply:
    """Which words can still be the answer, best first. Needs no session and no request key."""
    return await asked(request.parts, request.visit, data)


async def asked(parts: Parts, visit: Visit, data: Board) -> Reply:
    """The answer about a board. Raises `Refused` and `Problem`."""
    question = Solve(rows=board.check(data.rows), limit=data.limit, split=data.split, v=VERSION)
    return await _answer(parts, visit, subjects.SOLVER_BOARD, question)


@post(
    "/solver/review",
    summary="Look back on a board",
    status_code=200,
    responses=answers(Review) | problems("board_refused", "board_impossible", "answer_refused", "solver_busy", "csrf"),
)
async def review(request: Request, data: PlayedBoard) -> Reply:
    """How well each guess was chosen, and how lucky it was. Needs no session and no request key."""
    rows = board.check(data.rows)
    answer = None if data.answer is None else board.check_answer(rows, data.answer)
    question = LookBack(rows=rows, answer=answer, v=VERSION)
    return await _answer(request.parts, request.visit, subjects.SOLVER_REVIEW, question)


@get("/solver/openings", summary="The best openings", responses=answers(Openings) | problems())
async def openings(request: Request) -> Reply:
    """Fifty of them, worked out when the list was made. The ETag changes with the list."""
    return _openings().reply(request.visit.headers).add(EDITION, lexicon.editions()[-1])


@cache
def _openings() -> File:
    edition = lexicon.editions()[-1]
    return File(".json", _encoder.encode(Openings(edition, shipped(edition).openings)), CHECK_AGAIN)


async def _answer(parts: Parts, visit: Visit, subject: str, question: Solve | LookBack) -> Reply:
    """A solver's answer, as it comes. Raises `Problem`."""
    try:
        async with parts.limits.turn(visit.address):
            body = await parts.link.fleet.ask(subject, _encoder.encode(question))
    except (Busy, Unavailable):
        raise Problem("solver_busy", retry_after=1) from None
    except NotTaken as refusal:
        if refusal.code != REFUSED:
            raise
        said = _refusal.decode(refusal.said)
        raise Problem(said.refused, **said.facts) from None
    return Reply(body).add("cache-control", KEPT).add(EDITION, lexicon.editions()[-1])

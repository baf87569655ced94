"""The Daily: today's board, guesses at it, boards of days before, and what proves a day's word."""

from datetime import date, datetime

import msgspec
from litestar import get
from msgspec import Struct

from libs.core.calendar import close_of, eastern_day
from libs.core.daily import ANNOUNCED, attempt_id
from libs.core.daily_order import FIRST_DAY
from libs.core.games.daily.view import DailyView, closed, unplayed
from libs.core.refusals import Reason
from services.api.asking import command, look, named, view_of
from services.api.doc import answers, post, problems
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply, versioned
from services.api.visits import Request, Visit

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(DailyView)


class DailyGuess(Struct, forbid_unknown_fields=True):
    """A guess; one that names its day is never taken for another."""

    word: str
    day: date | None = None


class Proof(Struct, kw_only=True):
    """What a day's word is held to, and since when; word and salt once the day is over.

    The commitment is the SHA-256 of the salt's 16 bytes and the word in lower case.
    """

    day: date
    commitment: str
    announced_at: datetime
    word: str | None
    salt: str | None


BOARD = answers(DailyView, description="What the player may see now")


@get("/daily", summary="Look at today's Daily", responses=BOARD | problems("unauthorized", "try_again"))
async def today(request: Request) -> Reply:
    """The player's board of today, by Eastern time. Looking starts nothing."""
    return await _board(request, eastern_day(request.visit.received))


@get(
    "/daily/{day:str}",
    summary="Look back on a Daily",
    responses=BOARD | problems("unauthorized", "unknown_day", "try_again"),
)
async def past(request: Request, day: str) -> Reply:
    """The player's board of that day."""
    return await _board(request, day_of(day, eastern_day(request.visit.received)))


@post(
    "/daily/guesses",
    summary="Guess the word of the day",
    status_code=200,
    responses=BOARD
    | problems(
        "letters", "unknown_word", "closed", "finished", "unauthorized", "csrf", "key_reused", "bad_key", "try_again"
    ),
)
async def guess(request: Request, data: DailyGuess) -> Reply:
    """Take a guess once, however often it is sent with the same key. The clock runs from the first one taken."""
    return await guessed(request.parts, request.visit, data)


async def guessed(parts: Parts, visit: Visit, guess: DailyGuess) -> Reply:
    """The answer to a guess."""
    session, day = visit.who, guess.day or eastern_day(visit.received)
    if day < FIRST_DAY:
        raise Problem("closed")
    own = attempt_id(session.player, day)
    attempt = own if session.guest else await parts.dailies.attempt(session, day)
    answer = await command(
        parts,
        visit,
        attempt,
        {"type": "guess", "word": guess.word, "day": day},
        kind="daily" if attempt == own else None,
        origin=parts.dailies.origin(visit.address, day) if session.guest else "",
    )
    if not session.guest and attempt == own:
        parts.dailies.note(own)
    return await view_of(parts, answer)


@get(
    "/daily/{day:str}/verify",
    summary="Check the word of a day",
    responses=answers(Proof) | problems("unknown_day", "try_again"),
)
async def verify(request: Request, day: str) -> Reply:
    """The commitment to a day's word, published before the day, and what opens it, published after."""
    visit = request.visit
    which = day_of(day, eastern_day(visit.received) + ANNOUNCED)
    found = await request.parts.dailies.day(which, over=is_over(which, visit))
    if found is None:
        raise Problem("unknown_day")
    return reply(
        Proof(
            day=found.day,
            commitment=found.commitment,
            announced_at=found.announced_at,
            word=found.word,
            salt=found.salt,
        )
    )


async def _board(request: Request, day: date) -> Reply:
    parts, visit = request.parts, request.visit
    attempt, over = await parts.dailies.attempt(visit.who, day), is_over(day, visit)
    try:
        answer = await look(parts, visit, attempt)
    except Problem as problem:
        if problem.code != Reason.UNKNOWN_GAME:
            raise
        answer = None
    if answer is not None and (answer.ended or not over):
        return versioned(visit.headers, answer.seen[-1].version, await named(parts, answer))
    told = await parts.dailies.day(day, over=over)
    commitment, word = (told.commitment, told.word) if told else (None, None)
    if answer is not None:
        board = closed(_decoder.decode(answer.seen[-1].view), word)
    elif told is None and over:
        raise Problem("unknown_day")
    else:
        board = unplayed(visit.who.player, day, commitment, word, over=over)
    return versioned(visit.headers, board.version, _encoder.encode(board))


def is_over(day: date, visit: Visit) -> bool:
    """Had the day ended when this request was received?"""
    return close_of(day) <= visit.received


def day_of(text: str, last: date) -> date:
    """A day from an address. Raises `Problem` (unknown_day) if it is none, or before the first day or after `last`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Problem("unknown_day") from None
    if str(day) != text or not FIRST_DAY <= day <= last:
        raise Problem("unknown_day")
    return day

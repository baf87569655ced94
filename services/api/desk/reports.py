"""/desk/reports: what players have reported, and what was decided."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from litestar import get
from litestar.params import Parameter
from msgspec import Meta, Struct

from libs.core.games.person.commands import Why
from libs.core.messages import GameId
from libs.core.refusals import Refused
from libs.runtime.bus import Unavailable
from libs.runtime.chat_store import ChatStore
from libs.runtime.direct import Unread
from services.api import cursors, said
from services.api.asking import game_id
from services.api.desk.operators import act, operator
from services.api.desk.people import OF_ACTS
from services.api.doc import answers, post, problems
from services.api.names import Player
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request

PAGE = 50

REPORTS = """
select r.game::text, r.message, r.made_at, r.reporter, r.about, a.by, a.at, a.upheld, a.why
from reports r
left join moderation.actions a on a.what = 'report_decided' and a.in_game = r.game and a.message = r.message
where (%(state)s::text is null or (a.seq is null) = (%(state)s = 'open'))
    and (%(game)s::uuid is null or (r.game, r.message) = (%(game)s, %(message)s))
    and (%(before)s::timestamptz is null
        or (r.made_at, r.game, r.message, r.reporter) < (%(before)s, %(of_game)s, %(of_message)s, %(reporter)s))
order by r.made_at desc, r.game desc, r.message desc, r.reporter desc limit %(limit)s
"""


_Id: TypeAlias = Annotated[str, Meta(max_length=100, pattern=r"^[^\x00]*$")]
Texts: TypeAlias = dict[tuple[GameId, str], str]
"""What was said, by game and message: one key of a player's gives the same id in each game."""


class Decision(Struct, kw_only=True):
    """What an operator has decided. `upheld`: it was right to report the message."""

    by: Player
    at: datetime
    upheld: bool
    why: str


class Report(Struct, kw_only=True):
    """A reported message. Its text is there until the game's midnight, and never kept with the report."""

    game: GameId
    message: str
    reported_at: datetime
    reporter: Player
    about: Player
    text: str | None
    decision: Decision | None


class Reports(Struct, kw_only=True):
    """A page of reports, the newest first; `next` leads to the following one."""

    reports: list[Report]
    next: str | None


class Verdict(Struct, forbid_unknown_fields=True, kw_only=True):
    """Whether it was right to report the message, and why."""

    upheld: bool
    why: Why


class _Cursor(Struct, frozen=True, array_like=True):
    """The last report of a page. Several can be of one instant, so all that tells them apart belongs to it."""

    reported_at: datetime
    game: UUID
    message: _Id
    reporter: _Id


@get(
    "/desk/reports",
    summary="List reports, as an operator",
    responses=answers(Reports) | problems("unauthorized", "not_an_operator", "reads_down"),
)
async def reports(
    request: Request,
    in_state: Annotated[Literal["open", "decided"] | None, Parameter(query="state")] = None,
    cursor: str | None = None,
) -> Reply:
    """Reports that are open or decided, or all; what was said in games whose chat is still there."""
    await operator(request)
    found = await _reports(request.parts, asked(in_state, after=_after(cursor), limit=PAGE + 1))
    more = len(found) > PAGE
    return reply(Reports(reports=found[:PAGE], next=_cursor(found[PAGE - 1]) if more else None))


@post(
    "/desk/reports/{game:str}/{message:str}",
    summary="Decide the reports of a message",
    status_code=200,
    responses=answers(Report) | problems("unknown_report", "report_decided", *OF_ACTS),
)
async def decide(request: Request, game: str, message: str, data: Verdict) -> Reply:
    """Decide once, whoever is first; what is to be done about the player is another matter."""
    await operator(request)
    parts = request.parts
    about = await parts.database.rows(
        "select about from reports where game = %s and message = %s", (_id(game), message)
    )
    if not about:
        raise Problem("unknown_report")
    what = {"type": "decide_report", "in_game": game, "message": message, "upheld": data.upheld, "why": data.why}
    await act(parts, request.visit, about[0][0], what)
    return reply((await _reports(parts, asked(game=game, message=message)))[0])


def asked(
    state: str | None = None,
    *,
    game: GameId | None = None,
    message: str | None = None,
    after: _Cursor | None = None,
    limit: int = 1,
) -> dict[str, Any]:
    """The values of `REPORTS`: of a state (open or decided) or of all, or of one message; at most `limit`."""
    last = (after.reported_at, after.game, after.message, after.reporter) if after else (None,) * 4
    border = dict(zip(("before", "of_game", "of_message", "reporter"), last, strict=True))
    return {"state": state, "game": game, "message": message, "limit": limit, **border}


def _cursor(last: Report) -> str:
    return cursors.text_of(_Cursor(last.reported_at, UUID(last.game), last.message, last.reporter.id))


def _after(cursor: str | None) -> _Cursor | None:
    """The report that a cursor names. Raises `Problem` (malformed) for what is none."""
    return cursors.read(cursor, _Cursor) if cursor else None


def _id(game: str) -> GameId:
    try:
        return game_id(game)
    except Refused:
        raise Problem("unknown_report") from None


async def _reports(parts: Parts, values: dict[str, Any]) -> list[Report]:
    rows = await parts.database.rows(REPORTS, values)
    people = await parts.names.of({player for row in rows for player in (row[3], row[4], row[5]) if player})
    texts: Texts = {}
    with suppress(Unavailable, Unread):  # a report without its text is better than none
        texts = await texts_of(parts.link.chats, {row[0] for row in rows}, parts.now())
    return [_report(row, people, texts.get(row[:2])) for row in rows]


def _report(row: tuple[Any, ...], people: dict[str, Player], text: str | None) -> Report:
    game, message, made_at, reporter, about, by, at, upheld, why = row
    return Report(
        game=game,
        message=message,
        reported_at=made_at,
        reporter=people[reporter],
        about=people[about],
        text=text,
        decision=Decision(by=people[by], at=at, upheld=upheld, why=why) if by else None,
    )


async def texts_of(chats: ChatStore, games: Iterable[GameId], now: datetime) -> Texts:
    """What was said in these games, as long as their chats are open. Raises `Unread`."""
    texts: Texts = {}
    for game in games:
        for record in await chats.read(game):
            one = said.decode(record.data)
            if now < one.until:
                texts[game, one.id] = one.text
    return texts

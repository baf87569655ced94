"""GET and DELETE /me/sessions: where somebody is signed in, and signing out there."""

from datetime import date

from litestar import Response, delete, get
from msgspec import Struct

from services.api.accounts.sessions import LIFETIME
from services.api.doc import DONE, answers, problems
from services.api.problems import Problem
from services.api.replies import Reply, empty, reply
from services.api.visits import Request

MOST = 200  # sessions listed

_LIST = """
select id, browser, system, made_at, seen_on from sessions
where player = %s and ended_at is null and seen_on > %s order by seen_on desc, id desc limit %s
"""
_END = "update sessions set ended_at = %s where id = %s and player = %s and ended_at is null returning id"
_END_OTHERS = "update sessions set ended_at = %s where player = %s and id <> %s and ended_at is null returning id"


class OwnSession(Struct, kw_only=True):
    """A session of one's own. Days are those of UTC; a program has neither browser nor system."""

    id: str
    browser: str | None
    system: str | None
    first_seen: date
    last_seen: date
    current: bool


class OwnSessions(Struct):
    """Everywhere one is signed in, the one used last first."""

    sessions: list[OwnSession]


@get("/me/sessions", summary="List sessions", responses=answers(OwnSessions) | problems("unauthorized", "reads_down"))
async def sessions(request: Request) -> Reply:
    """The sessions that have not ended; tokens of programs are a list of their own."""
    parts, visit = request.parts, request.visit
    own, today = visit.who, visit.received.date()
    rows = await parts.database.rows(_LIST, (own.player, today - LIFETIME, MOST))
    return reply(
        OwnSessions(
            [
                OwnSession(
                    id=id_,
                    browser=browser,
                    system=system,
                    first_seen=made_at.date(),
                    last_seen=today if id_ == own.id else seen_on,
                    current=id_ == own.id,
                )
                for id_, browser, system, made_at, seen_on in rows
            ]
        )
    )


@delete(
    "/me/sessions/{session_id:str}",
    summary="End a session",
    status_code=204,
    responses=DONE | problems("unauthorized", "not_found", "reads_down", "csrf"),
)
async def end(request: Request, session_id: str) -> Response[None]:
    """Sign out there; its sockets close with 4001."""
    parts, visit = request.parts, request.visit
    ended = await parts.database.rows(_END, (parts.now(), session_id, visit.who.player))
    if not ended:
        raise Problem("not_found")
    await parts.ended.end(session_id)
    if visit.by_cookie and session_id == visit.who.id:
        visit.cookie = parts.signer.no_cookie()
    return empty()


@delete(
    "/me/sessions",
    summary="End all other sessions",
    status_code=204,
    responses=DONE | problems("unauthorized", "reads_down", "csrf"),
)
async def end_others(request: Request) -> Response[None]:
    """Sign out everywhere but here."""
    parts, own = request.parts, request.visit.who
    ended = await parts.database.rows(_END_OTHERS, (parts.now(), own.player, own.id))
    await parts.ended.end(*(id_ for (id_,) in ended))
    return empty()

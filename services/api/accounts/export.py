"""GET /me/export: everything that is kept about an account, as one JSON document."""

import re
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import get
from litestar.response import Stream

from services.api.accounts import own_chat
from services.api.doc import answers, problems
from services.api.limits import EXPORTS_OF_PLAYER
from services.api.parts import Parts
from services.api.seats import seats
from services.api.visits import Request

PAGE = 500  # rows

_PROFILE = """
select id, name, email, filter, made_at as created_at,
    (select coalesce(json_agg(id order by id), '[]') from players where merged_into = p.id) as guests
from players p where id = %(me)s
"""
SECTIONS: dict[str, str] = {
    "identities": "select issuer, subject, made_at as since from identities where player = %(me)s",
    "sessions": """select id, browser, system, made_at as began_at, seen_on as last_seen, ended_at
        from sessions where player = any(%(seats)s) order by id""",
    "tokens": """select id, label, scopes, made_at as created_at, seen_on as last_used, ended_at as revoked_at
        from api_tokens where player = %(me)s order by id""",
    "sign_in_links": """select made_at as asked_at, used_at from sign_ins
        where email = (select email from players where id = %(me)s) order by made_at, token""",
    "mails": """select subject, body as text, state, made_at, sent_at from mails
        where recipient = (select email from players where id = %(me)s) order by made_at, id""",
    "notice_choices": "select mail, push, language from notice_choices where player = %(me)s",
    "notice_browsers": """select endpoint, language, made_at as since from push_subscriptions where player = %(me)s
        order by made_at, id""",
    "notices": """select occasion, made_at from notices where player = %(me)s order by made_at, id""",
    "notices_on_the_way": """select p.body as text, p.made_at from pushes p
        join push_subscriptions s on s.id = p.subscription where s.player = %(me)s order by p.made_at, p.id""",
    "blocks": "select blocked as player, made_at as since from blocks where player = %(me)s order by blocked",
    "mutes": "select game from mutes where player = any(%(seats)s) order by game",
    "reports": """select game, message, about, made_at from reports
        where reporter = any(%(seats)s) order by made_at, message""",
    "moderation": """select at, what, why, until, in_game as game, message, upheld, version
        from moderation.actions where person = any(%(seats)s::uuid[]) order by seq""",
    "games": """select g.id, g.kind, g.state, g.day, g.made_at, g.began_at, g.ended_at, s.player as seat, s.guesses,
        s.solved, s.finished from games.seats s join games.games g on g.id = s.game
        where s.player = any(%(seats)s) order by g.id""",
    "reviews": """select game, rows, answer, review, made_at from reviews
        where player = any(%(seats)s) order by game""",
    "results": """select game, kind, day, outcome, guesses, solved, counted, ended_at from results.results
        where player = any(%(seats)s) order by game""",
    "records": """select rival as player, kind, wins, losses, draws, played from results.rivals
        where player = any(%(seats)s) order by rival, kind""",
    "daily_results": """select day, game, player as seat, guesses, solved, finished, elapsed_ms, finished_at, counted
        from daily.results where owner = any(%(seats)s) order by day, game""",
    "daily_statistics": """select played, solved, histogram, streak, streak_end, longest from daily.statistics
        where player = any(%(seats)s) order by player""",
}
"""Lists of the document: a query each, in a fixed order. Whoever keeps more about players adds it here."""

_SECRET_LINK = re.compile(rb"(/sign-in#|/unsubscribe/)[\w-]+")


@get(
    "/me/export",
    summary="Export everything",
    responses=answers(dict[str, Any], description="The profile, the chat, and lists of everything else")
    | problems("unauthorized", "reads_down", "try_again"),
)
async def export(request: Request) -> Stream:
    """All that is kept about the account, with nothing that would let anybody sign in. Sent as it is read."""
    parts, account = request.parts, request.visit.account
    parts.limits.special(EXPORTS_OF_PLAYER, account.player)
    asked = {"me": account.player, "seats": list(await seats(parts, account))}
    head = {
        "exported_at": parts.now(),
        "profile": (await _page(parts, _PROFILE, asked, 0))[0],
        "chat": await own_chat.written(parts, asked["seats"]),
    }
    name = f"wordyard-{parts.now():%Y-%m-%d}.json"
    return Stream(
        _pieces(parts, msgspec.json.encode(head), asked),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def _pieces(parts: Parts, head: bytes, asked: dict[str, Any]) -> AsyncIterator[bytes]:
    yield head[:-1]
    for name, query in SECTIONS.items():
        yield b',"%b":[' % name.encode()
        start = 0
        while rows := await _page(parts, query, asked, start):
            lines = b",".join(bytes(row) for row in rows)
            yield (b"," if start else b"") + _SECRET_LINK.sub(rb"\1...", lines)
            start += len(rows)
            if len(rows) < PAGE:
                break
        yield b"]"
    yield b"}\n"


async def _page(parts: Parts, query: str, asked: dict[str, Any], start: int) -> list[msgspec.Raw]:
    """Rows as JSON objects, from one on. Raises `Problem`."""
    page = f"select row_to_json(one)::text from ({query}) one offset {start:d} limit {PAGE:d}"  # noqa: S608 - ours
    return [msgspec.Raw(row.encode()) for (row,) in await parts.database.rows(page, asked)]

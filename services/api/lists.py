"""GET /games: a player's games, the newest first, from the projections."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import get
from litestar.params import Parameter
from msgspec import Struct

from libs.core.facts import Outcome
from libs.core.games import GAMES
from libs.core.messages import PlayerId
from services.api.doc import answers, problems
from services.api.invite_tokens import token_of
from services.api.names import Player
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.seats import seats
from services.api.visits import Request

PAGE, LONGEST_PAGE = 20, 100

STATES = {"waiting": ["invited", "waiting"], "playing": ["playing"], "finished": ["over"], "void": ["void"]}
"""What the tables call the states of the API: a game waits for a player, or for a secret."""

KINDS = tuple(kind for kind in GAMES if kind not in ("day", "person"))
"""What a player can have a game of; nobody sits at a day or a person."""

_NAMES = {there: here for here, all_of_them in STATES.items() for there in all_of_them}

_LIST = """
select g.id::text, g.kind, g.state, g.day, g.closes_at, g.made_at, g.ended_at, g.expires_at, g.version, g.maker,
    me.player, me.guesses, me.solved, me.finished,
    them.player, them.guesses, them.solved, them.finished, r.outcome,
    coalesce(d.counted, r.counted and (r.rival is null or r.recorded))
from games.seats me
join games.games g on g.id = me.game
left join games.seats them on them.game = me.game and them.seat <> me.seat
left join results.results r on r.game = me.game and r.player = me.player
left join daily.results d on d.game = me.game
where me.player = any(%(seats)s) and (%(states)s::text[] is null or g.state = any(%(states)s))
    and (g.kind = %(kind)s::text or (%(kind)s::text is null and g.kind <> 'daily'))
    and (%(before)s::uuid is null or g.id < %(before)s)
order by g.id desc limit %(limit)s
"""


class You(Struct, kw_only=True):
    """How far the player is."""

    guesses: int
    solved: bool
    finished: bool


class Opponent(Struct, kw_only=True):
    """How far the other one is; no player while nobody has come."""

    player: Player | None
    guesses: int
    solved: bool
    finished: bool


class Open(Struct, kw_only=True):
    """An invite of one's own that is still open."""

    token: str
    url: str
    expires_at: datetime


class Entry(Struct, kw_only=True):
    """A game in a list.

    `counted` is null until it has ended; false if nobody guessed, or if another one of that day counts instead: of a
    guest who has joined, and the account.
    """

    id: str
    kind: str
    state: Literal["waiting", "playing", "finished", "void"]
    day: date | None
    closes_at: datetime | None
    made_at: datetime
    ended_at: datetime | None
    version: int
    you: You
    opponent: Opponent
    outcome: Outcome | None
    counted: bool | None
    invite: Open | None


class Games(Struct, kw_only=True):
    """A page of games; `next` leads to the following one."""

    games: list[Entry]
    next: str | None


@get("/games", summary="List games", responses=answers(Games) | problems("unauthorized", "reads_down"))
async def games(
    request: Request,
    in_state: Annotated[str | None, Parameter(query="state", schema_extra={"enum": list(STATES)})] = None,
    kind: Annotated[str | None, Parameter(schema_extra={"enum": list(KINDS)})] = None,
    cursor: str | None = None,
    limit: int = PAGE,
) -> Reply:
    """The player's games, the newest first: of one kind, or all but the Daily, which has a calendar of its own."""
    if not 1 <= limit <= LONGEST_PAGE:
        raise Problem("malformed", detail=f"1 to {LONGEST_PAGE}.", where="limit")
    if in_state is not None and in_state not in STATES:
        raise Problem("malformed", detail=f"One of {', '.join(STATES)}.", where="state")
    if kind is not None and kind not in KINDS:
        raise Problem("malformed", detail=f"One of {', '.join(KINDS)}.", where="kind")
    parts = request.parts
    asked = {
        "seats": list(await seats(parts, request.visit.who)),
        "states": STATES[in_state] if in_state else None,
        "kind": kind,
        "before": _before(cursor),
        "limit": limit + 1,
    }
    rows = await parts.database.rows(_LIST, asked)
    people = await parts.names.of({row[14] for row in rows if row[14]})
    entries = [_entry(parts, row, people) for row in rows[:limit]]
    more = len(rows) > limit
    return reply(Games(games=entries, next=_cursor(entries[-1].id) if more else None))


def _cursor(game: str) -> str:
    return urlsafe_b64encode(UUID(game).bytes).rstrip(b"=").decode()


def _before(cursor: str | None) -> UUID | None:
    if cursor is None:
        return None
    try:
        return UUID(bytes=urlsafe_b64decode(cursor.encode("ascii") + b"=="))
    except ValueError:
        raise Problem("malformed", detail="Not a cursor.", where="cursor") from None


def _entry(parts: Parts, row: Any, people: dict[PlayerId, Player]) -> Entry:
    (id_, kind, state, day, closes_at, made_at, ended_at, expires_at, version, maker, me, *rest) = row
    guesses, solved, finished, them, their_guesses, they_solved, they_finished, outcome, counted = rest
    invite = None
    if state == "invited" and maker == me:
        token = token_of(id_, parts.settings.secret_key)
        invite = Open(token=token, url=f"{parts.settings.address}/invite/{token}", expires_at=expires_at)
    return Entry(
        id=id_,
        kind=kind,
        state=_NAMES[state],  # type: ignore[arg-type]  # the keys of STATES
        day=day,
        closes_at=closes_at,
        made_at=made_at,
        ended_at=ended_at,
        version=version,
        you=You(guesses=guesses, solved=solved, finished=finished),
        opponent=Opponent(
            player=people[them] if them else None,
            guesses=their_guesses or 0,
            solved=bool(they_solved),
            finished=bool(they_finished),
        ),
        outcome=outcome,
        counted=counted,
        invite=invite,
    )

"""The application: every route in one list, and the gate around it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Any

import structlog
from litestar import Litestar, Router
from litestar.exceptions import NotFoundException
from litestar.types import ControllerRouterHandler

from libs.runtime.clock import Clock, clock
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.settings import Settings
from services.api import (
    chat,
    daily,
    daily_record,
    daily_results,
    doc,
    edge,
    games,
    health,
    invites,
    lists,
    live,
    moves,
    outbox,
    pages,
    practice,
    reviews,
    rivals,
    solver,
    words,
)
from services.api import parts as parts_module
from services.api.accounts import (
    blocks,
    deletion,
    export,
    guests,
    me,
    notices,
    oidc,
    own_sessions,
    push,
    sign_in,
    tokens,
)
from services.api.desk import effects, lookups, people, reports
from services.api.gate import Gate
from services.api.housekeeping import keep_tidy
from services.api.parts import Parts
from services.api.visits import LARGEST_BODY, Request, WebSocket

log = structlog.get_logger()

V1: Sequence[ControllerRouterHandler] = (
    guests.guest,
    guests.sign_out,
    me.me,
    me.change,
    export.export,
    deletion.delete_account,
    own_sessions.sessions,
    own_sessions.end,
    own_sessions.end_others,
    blocks.blocks,
    blocks.block,
    blocks.unblock,
    notices.notices,
    notices.choose,
    notices.unsubscribe,
    push.subscribe,
    push.end,
    tokens.tokens,
    tokens.make,
    tokens.revoke,
    sign_in.ask,
    sign_in.confirm,
    oidc.ways,
    oidc.start,
    oidc.come_back,
    invites.invite,
    invites.show,
    invites.withdraw,
    invites.accept,
    rivals.rivals,
    rivals.challenge,
    lists.games,
    games.view,
    games.audit,
    reviews.review,
    daily.today,
    daily.past,
    daily.verify,
    daily.guess,
    daily_results.results,
    daily_results.rivals,
    daily_record.statistics,
    daily_record.calendar,
    moves.guess,
    moves.secret,
    moves.resign,
    live.live,
    chat.read,
    chat.say,
    chat.mute,
    chat.report,
    practice.begin,
    practice.guess,
    words.words,
    words.guesses,
    words.edition,
    solver.ask,
    solver.review,
    solver.openings,
)
ROOT: Sequence[ControllerRouterHandler] = (
    pages.page,
    notices.one_click,
    pages.static,
    pages.worker,
    health.live,
    health.ready,
    health.serving,
    health.metrics,
)
DESK: Sequence[ControllerRouterHandler] = (
    reports.reports,
    reports.decide,
    people.player,
    people.mute,
    people.unmute,
    people.rename,
    people.close,
    people.reopen,
    lookups.look_up,
)
EMBEDDED: Sequence[ControllerRouterHandler] = (outbox.outbox,)


def build(settings: Settings, now: Clock | None = None) -> Gate:
    """The ASGI application; it connects when its lifespan begins. Raises `BadSetting`."""
    parts = parts_module.assemble(settings, now or clock(settings.offset))

    @asynccontextmanager
    async def connected(_: Litestar) -> AsyncIterator[None]:
        async with running(parts):
            yield

    v1 = [*V1, *(EMBEDDED if settings.outbox else ()), *(DESK if settings.operators else ())]
    app = Litestar(
        route_handlers=[
            Router("/api/v1", route_handlers=v1),
            *ROOT,
            *([pages.outbox_page] if settings.outbox else []),
            *([pages.desk_page] if settings.operators else []),
        ],
        request_class=Request,
        websocket_class=WebSocket,
        exception_handlers={NotFoundException: pages.lost, Exception: edge.handle},  # type: ignore[dict-item]  # leaner
        lifespan=[connected],
        openapi_config=doc.document(version("wordyard")),
        request_max_body_size=LARGEST_BODY,
        logging_config=None,
        debug=False,
    )
    app.state["parts"] = parts
    return Gate(app, parts)


@asynccontextmanager
async def running(parts: Parts) -> AsyncIterator[None]:
    """Connect, keep everything going, and hang up at the end."""

    async def begun(connection: Connection) -> None:
        parts.feeds.drop()
        await parts.board.listen(connection)

    await parts.database.open()
    await parts.tables.look()
    await parts.ended.learn()  # before the first request: a session that was ended must not live again for a moment
    work: list[Any] = [
        parts.link.keep(begun),
        parts.tables.keep(),
        parts.ended.keep(),
        parts.seen.keep(),
        parts.joins.keep(),
        parts.feeds.keep(),
        effects.keep(parts),
        keep_tidy(parts),
    ]
    tasks = [asyncio.create_task(one) for one in work]
    for task in tasks:
        task.add_done_callback(_failed)
    try:
        yield
    finally:
        await end(*tasks)
        await parts.seen.write()
        with suppress(Exception):  # whatever is left of a connection that is lost goes with the process
            await parts.link.close()
            await parts.provider.close()
        await parts.database.close()


def _failed(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("background work has stopped", exc_info=error)

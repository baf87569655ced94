"""For operators and what they run: alive, ready, metrics."""

from litestar import get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.api.replies import Reply, reply
from services.api.visits import Request


@get("/health/live", include_in_schema=False)
async def live() -> Reply:
    """The process runs and answers."""
    return reply({"status": "ok"})


@get("/health/ready", include_in_schema=False)
async def ready(request: Request) -> Reply:
    """200 while NATS and PostgreSQL answer, the tables suit us and we do not end; else 503, and what is down."""
    parts = request.parts
    up = {
        "nats": parts.link.is_up,
        "postgres": await parts.database.is_up(),
        "tables": not parts.tables.unfit,
        "serving": not parts.feeds.draining,
    }
    told = {name: "ok" if is_up else "down" for name, is_up in up.items()}
    good = all(up.values())
    return reply({"status": "ok" if good else "not_ready", "parts": told}, 200 if good else 503)


@get("/health/serving", include_in_schema=False)
async def serving(request: Request) -> Reply:
    """For the proxy: shall new requests come to this copy? 503 until it has found its servers, and tables that suit it,
    and when it is to end.

    In between it does not ask for NATS and PostgreSQL: without them all copies would be taken out at once, and with
    them what goes on without. Nor does a copy that starts without them wait for long.
    """
    parts = request.parts
    status = "ok"
    if parts.feeds.draining:
        status = "ending"
    elif not parts.tables.begun:
        status = "tables"
    elif parts.link.is_new and not (parts.link.is_up and parts.ended.known):
        status = "starting"
    return reply({"status": status}, 200 if status == "ok" else 503)


@get("/metrics", include_in_schema=False)
async def metrics() -> Reply:
    """All counters, in the text form of Prometheus."""
    return Reply(generate_latest(), media_type=CONTENT_TYPE_LATEST)

"""The outbox: mail that an embedded service does not send. Anybody who reaches the page can read it all."""

from datetime import datetime

from litestar import get
from msgspec import Struct

from services.api.doc import answers, problems
from services.api.replies import Reply, reply
from services.api.visits import Request

MOST = 100

_READ = "select recipient, subject, body, made_at from mails order by made_at desc, id desc limit %s"


class OutboxMail(Struct, kw_only=True):
    """A mail as it would have been sent."""

    to: str
    subject: str
    text: str
    at: datetime


class Outbox(Struct):
    """The newest mails, the newest first."""

    mails: list[OutboxMail]


@get("/outbox", summary="Read the outbox", responses=answers(Outbox) | problems("reads_down"))
async def outbox(request: Request) -> Reply:
    """What would have been sent. Only where no mail leaves the service."""
    rows = await request.parts.database.rows(_READ, (MOST,))
    return reply(Outbox([OutboxMail(to=to, subject=subject, text=body, at=at) for to, subject, body, at in rows]))

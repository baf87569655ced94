"""Slow work, put into the queue of the workers in the same transaction as its cause: both happen or neither.

A task is named by the thing it is about, so that queueing it again while it waits changes nothing.
"""

import msgspec
from dramatiq import Message
from psycopg import AsyncConnection

SEND_MAIL = "mail.send"
"""The task that sends a row of the table `mails`; its one argument is the row's id."""

MAIL_QUEUE = "mail"

_QUEUE = """
with queued as (
    insert into dramatiq.queue (queue_name, message_id, state, message)
    values (%(queue)s, %(id)s, 'queued', %(message)s)
    on conflict (message_id) do nothing
    returning queue_name
)
select pg_notify('dramatiq.' || queue_name || '.enqueue', '') from queued
"""


async def send_mail(connection: AsyncConnection[object], mail: str) -> None:
    """Have the mail with this id (a UUID) sent soon after the present transaction."""
    await connection.execute(_QUEUE, mail_task(mail))


def mail_task(mail: str) -> dict[str, str]:
    """The values of `queue`, `id` and `message` for the task that sends this mail."""
    task: Message[None] = Message(
        queue_name=MAIL_QUEUE, actor_name=SEND_MAIL, args=(mail,), kwargs={}, options={}, message_id=mail
    )
    return {"queue": MAIL_QUEUE, "id": mail, "message": msgspec.json.encode(task.asdict()).decode()}

"""Slow work, put into the queue of the workers in the same transaction as its cause: both happen or neither.

A task is named by the thing it is about, so that queueing it again while it waits changes nothing.
"""

from typing import TypeAlias
from uuid import NAMESPACE_URL, uuid5

import msgspec
from dramatiq import Message
from psycopg import AsyncConnection

SEND_MAIL = "mail.send"
"""The task that sends a row of the table `mails`; its one argument is the row's id."""

SEND_PUSH = "push.send"
"""The task that sends a row of the table `pushes`; its one argument is the row's id."""

REVIEW = "solver.review"
"""The task that fills in the rows of a game in the table `reviews`; its one argument is the game's id."""

OPENINGS, FIRST_ROWS = "solver.openings", "solver.first_rows"
"""The tasks that work something out for a word list; their one argument is the hash of the list."""

MAIL_QUEUE, SOLVER_QUEUE = "mail", "solver"

Task: TypeAlias = dict[str, str]
"""The values of `queue`, `id` and `message`."""

QUEUE = """
with queued as (
    insert into dramatiq.queue (queue_name, message_id, state, message)
    values (%(queue)s, %(id)s, 'queued', %(message)s)
    on conflict (message_id) do update
    set state = 'queued', message = excluded.message, available_at = now(), mtime = now()
    where queue.state = 'rejected'
    returning queue_name
)
select pg_notify('dramatiq.' || queue_name || '.enqueue', '') from queued
"""
"""Queues a task, unless it is queued or under way; one that was given up begins anew."""


async def send_mail(connection: AsyncConnection[object], mail: str) -> None:
    """Have the mail with this id (a UUID) sent soon after the present transaction."""
    await connection.execute(QUEUE, mail_task(mail))


async def review(connection: AsyncConnection[object], game: str) -> None:
    """Have the game with this id (a UUID) looked back on soon after the present transaction."""
    await connection.execute(QUEUE, _task(SOLVER_QUEUE, REVIEW, game, game))


def mail_task(mail: str) -> Task:
    """The task that sends this mail."""
    return _task(MAIL_QUEUE, SEND_MAIL, mail, mail)


def push_task(push: str) -> Task:
    """The task that sends this push message."""
    return _task(MAIL_QUEUE, SEND_PUSH, push, push)


def list_task(actor: str, words: str) -> Task:
    """The task that works something out for the word list with this hash."""
    return _task(SOLVER_QUEUE, actor, words, str(uuid5(NAMESPACE_URL, f"urn:wordyard:{actor}:{words}")))


def _task(queue: str, actor: str, argument: str, name: str) -> Task:
    task: Message[None] = Message(
        queue_name=queue, actor_name=actor, args=(argument,), kwargs={}, options={}, message_id=name
    )
    return {"queue": queue, "id": name, "message": msgspec.json.encode(task.asdict()).decode()}

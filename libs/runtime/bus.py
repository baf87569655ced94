"""NATS: one connection a process, and the question that the edge and the scheduler ask the game service."""

import asyncio
import time

import msgspec
import nats
import nats.errors
import structlog
from nats.aio.msg import Msg

from libs.core import calls, subjects
from libs.core.decoding import reader
from libs.runtime import ids, telemetry, tls
from libs.runtime.connection import Connection
from libs.runtime.settings import Settings

log = structlog.get_logger()

OLDEST_SERVER = (2, 14)
"""Timers need what this version brought: cancelling a message schedule."""

SILENCE = 0.7  # seconds without an answer before the next copy is asked
PAUSE = 0.05  # seconds before the same question is asked again, halved by chance

_call = reader(calls.Call)
_answer = reader(calls.Answer)
_encoder = msgspec.json.Encoder()


class ServerTooOld(RuntimeError):
    """The NATS server lacks what the service needs; says its version and the one needed."""


class Unavailable(Exception):
    """Nobody answered within the budget. The outcome is unknown: asking again with the same key settles it."""


class Unreachable(Exception):
    """There was no connection in time; says what was the matter with the last try."""


async def connect(settings: Settings, name: str, patience: float | None = None) -> Connection:
    """Connect under this name, waiting for the broker for `patience` seconds, or for as long as it takes.

    A lost connection is restored without end. While it is lost, publishing fails at once
    (`nats.errors.OutboundBufferLimitError`) and nothing is sent later: a message kept for later would reach the log
    after its sender was told that it failed. Should the broker turn the client away, for a wrong password for instance,
    the connection is closed for good: `is_closed` says so. At tls:// addresses nothing is said unencrypted, nor to a
    server whose certificate is not right. Raises `ServerTooOld`, `Unreachable`, and `BadSetting` for files that cannot
    be used.
    """
    context = tls.to_nats(settings)
    connection = Connection(encrypted=context is not None)
    told = False  # of the present outage: one line, not one a try
    trouble = ""

    async def failed(error: Exception) -> None:
        nonlocal told, trouble
        trouble = str(error) or type(error).__name__
        if connection.is_connected or not told:
            log.warning("bus.error", error=type(error).__name__, detail=str(error))
        told = not connection.is_connected

    async def disconnected() -> None:
        nonlocal told
        told = True
        log.warning("bus.disconnected")

    async def reconnected() -> None:
        nonlocal told
        told = False
        log.info("bus.reconnected")

    async def ended() -> None:
        log.info("bus.closed")

    options = {} if context is None else {"tls": context}
    try:
        async with asyncio.timeout(patience):
            await connection.connect(
                settings.nats_url.split(","),
                name=name,
                user=settings.nats_user or None,
                password=settings.nats_password or None,
                pending_size=0,
                skip_subject_validation=True,  # all subjects are our own, made of ids that were checked
                max_reconnect_attempts=-1,
                reconnect_time_wait=0.25,
                connect_timeout=2,
                ping_interval=10,
                max_outstanding_pings=2,
                error_cb=failed,
                disconnected_cb=disconnected,
                reconnected_cb=reconnected,
                closed_cb=ended,
                **options,
            )
    except TimeoutError:
        await connection.close()
        raise Unreachable(f"NATS does not answer{trouble and f': {trouble}'}") from None
    version = connection.connected_server_version
    if (version.major, version.minor) < OLDEST_SERVER:
        await connection.close()
        raise ServerTooOld(f"NATS server {version.major}.{version.minor}: 2.14 or newer is needed")
    return connection


async def ask(connection: Connection, call: calls.Call, budget: float = 2.0, silence: float = SILENCE) -> calls.Answer:
    """Ask the copy of the game service that has the game warm, else any copy, within `budget` seconds.

    After `silence` seconds the next copy is asked, and at once where one is too old to know. The same question may be
    asked several times: every call is safe to repeat. Raises `Unavailable`.
    """
    deadline = time.monotonic() + budget
    question = _encoder.encode(call)
    headers: dict[str, str] = {}
    telemetry.inject(headers)
    subject = subjects.ask(call.game)
    while (left := deadline - time.monotonic()) > 0:
        try:
            reply = await connection.request(subject, question, timeout=min(silence, left), headers=headers or None)
            answer: calls.Answer = _answer(reply.data)
            if not answer.newer:
                return answer
            await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))
        except msgspec.DecodeError as error:  # of another release; the next copy may be of ours
            log.error("an answer was not understood", detail=str(error))
            await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))
        except nats.errors.NoRespondersError:
            if subject == subjects.ASK_ANY:
                await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))
        except nats.errors.TimeoutError:
            pass
        except (nats.errors.OutboundBufferLimitError, nats.errors.ConnectionReconnectingError):
            await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))
        except (nats.errors.ConnectionClosedError, nats.errors.ConnectionDrainingError):
            break
        subject = subjects.ASK_ANY
    raise Unavailable


def question(message: Msg) -> calls.Call:
    """The call in a message that `ask` sent. Raises `msgspec.DecodeError`."""
    call: calls.Call = _call(message.data)
    return call


async def reply(message: Msg, answer: calls.Answer) -> None:
    """Answer a message that `ask` sent; if the connection is lost nothing happens, for the asker asks again."""
    try:
        await message.respond(_encoder.encode(answer))
    except (
        nats.errors.OutboundBufferLimitError,
        nats.errors.ConnectionClosedError,
        nats.errors.ConnectionDrainingError,
    ):
        log.warning("bus.reply_lost")

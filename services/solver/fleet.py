"""One copy of the fleet as a NATS micro service: found by discovery, counted by its statistics, asked by who may."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

import msgspec
import nats.errors
import structlog
from msgspec import Struct
from nats.micro import add_service
from nats.micro.request import Request, ServiceError
from nats.micro.service import Service

from libs.core import subjects
from libs.core.calls import Refusal
from libs.core.refusals import Refused
from libs.core.version import is_newer
from libs.runtime import telemetry
from libs.runtime.connection import Connection
from libs.runtime.fleet import BUSY, REFUSED
from libs.runtime.metrics import SOLVER_SECONDS
from services.solver.desk import Answering, Desk
from services.solver.threads import Busy

log = structlog.get_logger()

NAME = GROUP = "solver"
VERSION = "1.0.0"  # of what is asked and answered
SERVED = {"board": subjects.SOLVER_BOARD, "review": subjects.SOLVER_REVIEW}
FAILED = ("500", "failed")
SECONDS = {name: SOLVER_SECONDS.labels(name) for name in SERVED}


class Count(Struct):
    """What has come of an endpoint's questions. (The library measures until a question is taken, not until then.)"""

    answered: int = 0
    seconds: float = 0.0  # from receipt to answer, of all together
    turned_away: int = 0


class Copy:
    """Hears what is asked, and answers it."""

    def __init__(self, desk: Desk) -> None:
        self._asked: dict[str, Callable[[bytes], Answering]] = {"board": desk.board, "review": desk.review}
        self._counts = {name: Count() for name in SERVED}
        self._answering: set[asyncio.Task[None]] = set()
        self._service: Service | None = None

    async def join(self, connection: Connection) -> None:
        """Begin to listen."""
        service = await add_service(
            connection,
            name=NAME,
            version=VERSION,
            description="Says which five-letter words a board leaves, best first, and looks back on it.",
            queue_group=GROUP,
            stats_handler=lambda endpoint: msgspec.to_builtins(self._counts[endpoint.name]),
        )
        for name, subject in SERVED.items():
            await service.add_endpoint(name=name, subject=subject, handler=partial(self._hear, name))
        for _ in range(2):  # the first ping may overtake what was subscribed, which waits for its turn to be sent
            await connection.flush()
        self._service = service

    async def leave(self) -> None:
        """Hear no more, and answer what has been heard."""
        if self._service is not None:
            # the library's own way to stop throws away what has been received
            await asyncio.gather(*(endpoint._subscription.drain() for endpoint in self._service._endpoints))
        if self._answering:
            await asyncio.wait(self._answering)

    async def _hear(self, name: str, request: Request) -> None:
        """Take one question. Raises `ServiceError`, which the library sends."""
        start = time.perf_counter()
        with telemetry.part(f"solver.{name}", request.headers):
            answering = await self._take(name, request)
            if isinstance(answering, bytes):
                await self._say(name, request, answering, start)
        if isinstance(answering, Awaitable):
            task = asyncio.create_task(self._answer(name, request, answering, start))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def _take(self, name: str, request: Request) -> Answering | None:
        """What will be answered; none if the question has been refused. Raises `ServiceError`."""
        try:
            return self._asked[name](request.data)
        except Busy:
            self._counts[name].turned_away += 1
            raise ServiceError(BUSY, "busy") from None
        except msgspec.DecodeError as error:
            # where we are too old, a newer copy is asked as if we were busy
            raise ServiceError(BUSY if is_newer(request.data) else "400", str(error)) from None
        except Refused as refusal:
            said = Refusal(refused=refusal.reason.value, facts=refusal.facts)
            await request.respond_error(REFUSED, said.refused, msgspec.json.encode(said))
            return None
        except Exception:
            log.exception("no answer")
            raise ServiceError(*FAILED) from None

    async def _answer(self, name: str, request: Request, answering: Awaitable[bytes], start: float) -> None:
        try:
            with telemetry.part(f"solver.{name}.work", request.headers):
                try:
                    await self._say(name, request, await answering, start)
                except Busy:  # it took two pieces of work, and there was room for one
                    self._counts[name].turned_away += 1
                    await request.respond_error(BUSY, "busy")
        except nats.errors.Error as error:  # whoever has asked asks again
            log.warning("answer lost", error=type(error).__name__)
        except Exception:
            log.exception("no answer")
            with suppress(nats.errors.Error):
                await request.respond_error(*FAILED)

    async def _say(self, name: str, request: Request, answer: bytes, start: float) -> None:
        await request.respond(answer)
        seconds = time.perf_counter() - start
        count = self._counts[name]
        count.answered += 1
        count.seconds += seconds
        SECONDS[name].observe(seconds)

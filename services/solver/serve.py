"""python -m services.solver.serve: one of the solvers; any number of copies share what is asked."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

import nats.errors
import structlog

from libs.runtime import bus, ops, run
from libs.runtime.ending import end
from libs.runtime.settings import Settings
from services.solver import place, ready
from services.solver.answers import Solver
from services.solver.desk import Desk
from services.solver.fleet import Copy
from services.solver.review import Reviewer
from services.solver.threads import Threads

log = structlog.get_logger()

LAST_WORDS = 5.0  # seconds to answer what is already asked
WATCHED = 1.0  # seconds between two looks at the connection
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 300.0  # seconds before it is looked again whether the most common answers are there


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Answer questions until told to stop.

    Raises `nats.errors.ConnectionClosedError` when the connection is closed for good: nobody could ask any more.
    """
    async with AsyncExitStack() as closing:
        folder = place.folder(settings.solver_folder)
        solver = ready.solver(folder)
        reviewer = ready.reviewer(folder, solver)
        threads = Threads(settings.solver_queue)
        closing.callback(threads.close)
        connection = await bus.connect(settings, "solver")
        closing.push_async_callback(connection.close)
        copy = Copy(Desk(solver, reviewer, threads))
        await copy.join(connection)
        checks = {"nats": lambda: connection.is_connected}
        port = closing.enter_context(ops.served(settings.ops_host, settings.ops_port, checks))
        log.info("answering", ops_port=port, kernel=solver.kernel.name, words=len(solver.letters.words))
        warming = asyncio.create_task(warm_up(settings, solver, reviewer))
        closing.push_async_callback(end, warming)
        while not stop.is_set():
            if connection.is_closed:
                raise nats.errors.ConnectionClosedError
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), WATCHED)
        with suppress(TimeoutError, nats.errors.Error):
            async with asyncio.timeout(LAST_WORDS):
                await copy.leave()


async def warm_up(settings: Settings, solver: Solver, reviewer: Callable[[], Reviewer]) -> None:
    """Open the matrix, and keep the answers that are asked most, as soon as the worker has them ready."""
    try:
        await asyncio.to_thread(reviewer)
        pause = FIRST_PAUSE
        while (boards := await asyncio.to_thread(_load, settings, solver)) is None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        log.info("warm", boards=boards)
    except Exception:  # whatever it is, boards are answered
        log.exception("not warm")


def _load(settings: Settings, solver: Solver) -> int | None:
    from services.solver import warm  # and PostgreSQL's client: nobody shall wait for that

    return warm.load(settings.postgres_url, solver)


def main() -> None:
    """Run the solver until it is told to end."""
    run.serve("solver", serve)


if __name__ == "__main__":
    main()

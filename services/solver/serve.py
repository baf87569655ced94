"""python -m services.solver.serve: one of the solvers; any number of copies share what is asked."""

import asyncio
from contextlib import AsyncExitStack, suppress
from importlib.metadata import version

import nats.errors
import structlog

from libs.runtime import bus, ops, run
from libs.runtime.settings import Settings
from services.solver import place, ready
from services.solver.desk import Desk
from services.solver.fleet import Copy
from services.solver.threads import Threads

log = structlog.get_logger()

LAST_WORDS = 5.0  # seconds to answer what is already asked


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Answer questions until told to stop."""
    async with AsyncExitStack() as closing:
        folder = place.folder(settings.solver_folder)
        solver = ready.solver(folder)
        threads = Threads(settings.solver_queue)
        closing.callback(threads.close)
        connection = await bus.connect(settings, "solver")
        closing.push_async_callback(connection.close)
        checks = {"nats": lambda: connection.is_connected}
        port = closing.enter_context(ops.served(settings.ops_host, settings.ops_port, checks))
        copy = Copy(Desk(solver, ready.reviewer(folder, solver), threads))
        await copy.join(connection, version("wordyard"))
        log.info("answering", ops_port=port, kernel=solver.kernel.name, words=len(solver.letters.words))
        await stop.wait()
        with suppress(TimeoutError, nats.errors.Error):
            async with asyncio.timeout(LAST_WORDS):
                await copy.leave()


def main() -> None:
    """Run the solver until it is told to end."""
    run.serve("solver", serve)


if __name__ == "__main__":
    main()

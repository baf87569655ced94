"""A log of very many records, read again from its beginning: every game audited, every table folded afresh."""

import asyncio
import time
from collections.abc import Callable, Sequence

from libs.runtime import bus
from libs.runtime.clock import clock
from libs.runtime.log import Log
from libs.runtime.settings import read
from services.cli.bench import figures
from services.cli.bench.figures import Figure
from services.cli.bench.midnight_games import PER_GAME, make
from services.cli.bench.service import folded, started, verified


async def measure(records: int, say: Callable[[str], None]) -> Sequence[Figure]:
    """Write so many records, claims included, let the service fold them, and replay them; `say` tells how it goes."""
    async with started("lazy") as service:
        settings = read(service.of("services.game").environ())
        connection = await bus.connect(settings, "bench")
        try:
            log = Log(connection)
            say(f"{records:,} records are written")
            began = time.perf_counter()
            await make(log, round(records / PER_GAME), clock(), lambda _: None)
            end = await log.last_sequence()
            while await folded(settings) < end:  # noqa: ASYNC110 - of other processes
                await asyncio.sleep(0.5)
            written = time.perf_counter() - began
        finally:
            await connection.close()
        say("every game is audited, every table folded afresh and compared")
        audited, replayed, wrong = await verified(service)
    return [
        figures.plain("records", end, ""),
        figures.plain("written and folded by the service as they came", end / written, "records/s"),
        figures.at_least("replay and audit", audited["events"] / audited["seconds"], "events/s", 10_000),
        *(
            figures.at_least(
                f"fold afresh and compare: {outcome['projection']}",
                outcome["records"] / outcome["seconds"],
                "records/s",
                10_000,
            )
            for outcome in replayed
        ),
        *wrong,
    ]

"""Runs one service: settings, telemetry, the loop, and an orderly end on SIGTERM or SIGINT.

Exit codes: 0 ended as asked, 1 crashed (the log says how), 78 a setting is wrong (standard error says which).
"""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from libs.runtime import loops, parent, telemetry, tls
from libs.runtime.ending import AGAIN
from libs.runtime.settings import BadSetting, Settings, read

GRACE = 10.0
"""Seconds that a service has to end after the first signal, beside the time to drain that it is set to take.

Then, or at a second signal, its tasks are cancelled.
"""

BAD_SETTING = 78  # EX_CONFIG of sysexits.h

Main: TypeAlias = Callable[[Settings, asyncio.Event], Awaitable[None]]
"""What a service does: with these settings, until the event is set."""

_log = structlog.get_logger()


def serve(service: str, main: Main) -> None:
    """Run this service until it is told to end. Never returns: raises `SystemExit` with the exit code."""
    try:
        settings = read()
        tls.require_usable(settings)
    except BadSetting as error:
        print(error, file=sys.stderr)  # noqa: T201 - the log is not set up yet
        sys.exit(BAD_SETTING)
    telemetry.setup(settings, service, lasting=True)
    parent.follow()
    code = 0
    try:
        code = loops.run(_until_told(main, settings))
    finally:
        telemetry.close()
    sys.exit(code)


async def _until_told(main: Main, settings: Settings) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    running = asyncio.ensure_future(main(settings, stop))

    def insist() -> None:
        if not running.done():
            running.cancel()
            loop.call_later(AGAIN, insist)

    def told() -> None:
        if stop.is_set():
            insist()
        else:
            stop.set()
            loop.call_later(settings.drain_seconds + GRACE, insist)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told)
    _log.info("started")
    try:
        await running
    except asyncio.CancelledError:
        _log.warning("ended late: its tasks were cancelled")
    except BadSetting as error:  # only the service itself could tell that this value cannot be
        print(error, file=sys.stderr)  # noqa: T201
        return BAD_SETTING
    except Exception:
        _log.exception("crashed")
        return 1
    _log.info("ended")
    return 0

"""python -m services.cli.load.swarm PLAN: runs Locust in a process of its own, with the players of `users`.

PLAN is a `Plan` in JSON. SIGTERM and SIGINT end the load as if its time were over.
"""

import signal
import sys
import time
from array import array
from pathlib import Path
from typing import Any

import gevent
import locust.html
import locust.stats
import msgspec
from gevent.event import Event
from locust.env import Environment
from locust.runners import STATE_STOPPED

from services.cli.bench.figures import percentile
from services.cli.load import users
from services.cli.load.ledger import Ledger
from services.cli.load.plan import Line, Measured, Plan
from services.cli.load.player import World

STOPPED_WITHIN = 40.0  # seconds for begun guesses to be settled
SHARES = (0.5, 0.95, 0.99, 0.999)


class Times:
    """Every response time, so that percentiles are exact; Locust's own are of rounded times."""

    def __init__(self) -> None:
        self.of: dict[str, array[float]] = {}
        self.failed: dict[str, int] = {}

    def note(self, request_type: str, name: str, response_time: float, exception: Any, **_: Any) -> None:
        """Hear of a request: milliseconds."""
        what = f"{request_type} {name}"
        self.of.setdefault(what, array("f")).append(response_time)
        if exception is not None:
            self.failed[what] = self.failed.get(what, 0) + 1

    def line(self, name: str, of: "array[float]", failed: int, seconds: float) -> Line:
        """The figures of some requests."""
        times = sorted(of) or [0.0]
        p50, p95, p99, p999 = (round(percentile(times, share), 2) for share in SHARES)
        rate = round(len(of) / seconds, 2)
        return Line(name=name, count=len(of), failed=failed, rate=rate, p50=p50, p95=p95, p99=p99, p999=p999)


def main(plan: Plan) -> None:
    """Run the load, and leave what was measured in a file."""
    locust.stats.PERCENTILES_TO_CHART = [*SHARES]
    locust.stats.PERCENTILES_TO_STATISTICS = [0.95, 0.99, 0.999]
    locust.html.PERCENTILES_FOR_HTML_REPORT = [*SHARES, 1.0]
    with Ledger(Path(plan.ledger)) as ledger:
        users.Visitor.plan, users.Visitor.world = plan, World(ledger)
        environment = Environment(user_classes=[users.Visitor], host=plan.address, stop_timeout=STOPPED_WITHIN)
        users.Visitor.host = plan.address
        times = Times()
        environment.events.request.add_listener(times.note)  # type: ignore[no-untyped-call]
        began = time.monotonic()
        _run(environment, plan)
        seconds = time.monotonic() - began
        if plan.report:
            page = locust.html.get_html_report(environment, show_download_link=False)  # type: ignore[no-untyped-call]
            Path(plan.report).write_text(page)
    Path(plan.measured).write_bytes(msgspec.json.encode(_measured(environment, times, seconds, ledger)))


def _run(environment: Environment, plan: Plan) -> None:
    over = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, over.set)
    runner = environment.create_local_runner()
    gevent.spawn(locust.stats.stats_history, runner)
    page = environment.create_web_ui("127.0.0.1", plan.page) if plan.page else None
    runner.start(plan.users, plan.spawn_rate)
    over.wait(None if page else plan.seconds)
    if runner.state != STATE_STOPPED:
        runner.stop()
    if page is not None:
        page.stop()  # type: ignore[no-untyped-call]


def _measured(environment: Environment, times: Times, seconds: float, ledger: Ledger) -> Measured:
    recovery = users.Visitor.world.recovery
    everything = array("f", [time for some in times.of.values() for time in some])
    assert environment.runner is not None  # noqa: S101 - made in `_run`
    return Measured(
        seconds=round(seconds, 2),
        lines=[times.line(name, of, times.failed.get(name, 0), seconds) for name, of in sorted(times.of.items())],
        total=times.line("all", everything, sum(times.failed.values()), seconds),
        guesses=recovery.taken,
        views=ledger.counts["seen"],
        reconnects=users.Visitor.reconnects,
        down=round(recovery.down, 3),
        longest_wait=round(recovery.longest_wait, 3),
        exceptions=sorted({str(one["traceback"]) for one in environment.runner.exceptions.values()}),
    )


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Plan))

"""Processes that die or stand still."""

from collections.abc import Callable, Iterable, Sequence

from services.cli.faults.fault import Act, Fault, Stage
from services.cli.faults.streams import leader

SERVERS = ("nats-1", "nats-2", "nats-3")
COPIES = tuple(f"{service}-{copy}" for service in ("api", "game", "scheduler", "solver", "worker") for copy in (1, 2))

ONE_GOES_ON = "the other copy goes on"
TWO_GO_ON = "the other two go on, with a new leader where it led"
MOVES_GO_ON = "guesses go on, but no game begins; tables catch up"


def kill(name: str) -> Act:
    """kill -9 of this process; after a while it is started again."""

    async def act(stage: Stage) -> None:
        await stage.do(stage.cluster.kill, name)
        await stage.last()
        await stage.do(stage.cluster.start, name)

    return act


def pause(name: str) -> Act:
    """SIGSTOP of this process, and after a while SIGCONT."""

    async def act(stage: Stage) -> None:
        await stage.do(stage.cluster.pause, name)
        try:
            await stage.last()
        finally:
            await stage.do(stage.cluster.resume, name)

    return act


def restart(name: str) -> Act:
    """This process is asked to end, and started again at once."""

    async def act(stage: Stage) -> None:
        await stage.do(stage.cluster.restart, name)

    return act


def kill_together(names: Sequence[str]) -> Act:
    """kill -9 of all of these at once; after a while all are started again."""

    async def act(stage: Stage) -> None:
        parts = [stage.cluster.processes[name] for name in names]
        for part in parts:
            await stage.do(part.kill)
        await stage.last()
        for part in parts:
            await stage.do(part.launch)
        for part in parts:  # only now: one server of three is never ready
            await stage.do(part.wait)

    return act


def of_leader(how: Callable[[str], Act]) -> Act:
    """The same of whichever server leads the log's stream."""

    async def act(stage: Stage) -> None:
        await how(await leader(stage.cluster))(stage)

    return act


def faults() -> Iterable[Fault]:
    """Each process killed and paused."""
    expected = (
        dict.fromkeys(COPIES, ONE_GOES_ON)
        | dict.fromkeys(SERVERS, TWO_GO_ON)
        | {"postgres": MOVES_GO_ON, "proxy": "nobody gets through until it is back"}
    )
    for name in expected:
        does = f"kill -9 of {name}"
        yield Fault(name=f"kill-{name}", does=does, expected=expected[name], act=kill(name), part=name)
    for name in expected:
        does = f"{name} stands still"
        yield Fault(name=f"pause-{name}", does=does, expected=expected[name], act=pause(name), part=name)
    for kind, how, does in (
        ("kill", kill, "kill -9 of the log's leader"),
        ("pause", pause, "the log's leader stands still"),
        ("restart", restart, "the log's leader is asked to end, and started again"),
    ):
        yield Fault(name=f"{kind}-leader", does=does, expected="another leads", act=of_leader(how))
    for name, names, what in (
        ("kill-all-nats", SERVERS, "all three NATS servers"),
        ("kill-everything", [*SERVERS, "postgres", *COPIES], "every server and every copy of every service"),
    ):
        yield Fault(
            name=name, does=f"kill -9 of {what} at once", expected="all goes on where it was", act=kill_together(names)
        )

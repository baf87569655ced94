"""One copy's clock is minutes away from those of the others.

The services' own offset stands for a clock that was stepped: the copy is restarted with it, and without it again, so
that its clock is stepped twice. NATS has no offset, and to step the machine's clock is not ours.
"""

from collections.abc import Iterable

from libs.runtime.settings import PREFIX
from services.cli.faults.fault import Act, Fault, Stage

AWAY = 300.0  # seconds
COPIES = ("api-1", "game-1", "scheduler-1", "worker-1")


def stepped(name: str, seconds: float) -> Act:
    """This copy's clock runs so many seconds ahead, and people come in meanwhile."""

    async def act(stage: Stage) -> None:
        part = stage.service(name)
        right = part.environment
        part.environment = {**right, f"{PREFIX}EMBEDDED": "true", f"{PREFIX}CLOCK_OFFSET": str(seconds)}
        try:
            await stage.do(stage.cluster.restart, name)
            async with stage.newcomers():
                await stage.last()
        finally:
            part.environment = right
            await stage.do(stage.cluster.restart, name)

    return act


def faults() -> Iterable[Fault]:
    """Ahead and behind, for one copy of each service that looks at a clock."""
    for name in COPIES:
        for kind, seconds in (("ahead", AWAY), ("behind", -AWAY)):
            yield Fault(
                name=f"{kind}-{name}",
                does=f"the clock of {name} is {AWAY / 60:g} minutes {kind}",
                expected="nobody notices",
                act=stepped(name, seconds),
            )

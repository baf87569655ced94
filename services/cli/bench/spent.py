"""What a service's processes have worked, and how much of the machine was left to them."""

from collections.abc import Mapping, Sequence
from typing import Self

import psutil
from msgspec import Struct

from services.cli.bench.service import Service


class Part(Struct, frozen=True):
    """A process of a service, by the name of what it runs. Finding it takes a tenth of a second."""

    name: str
    process: psutil.Process

    @classmethod
    def all_of(cls, service: Service) -> Sequence[Self]:
        """All processes of a service that run now."""
        found = []
        for process in service.processes():
            try:
                found.append(cls(_name(process), process))
            except psutil.Error:  # it has just ended
                continue
        return found


class Spent(Struct, frozen=True):
    """Seconds of processor time so far: of each part of a service by name, and of the whole machine."""

    parts: Mapping[str, float]
    machine: float
    stolen: float  # what other machines on the same host took from this one, as far as the system knows

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Self:
        """Up to now."""
        spent: dict[str, float] = {}
        for part in parts:
            try:
                times = part.process.cpu_times()
            except psutil.Error:  # it has ended
                continue
            spent[part.name] = spent.get(part.name, 0.0) + times.user + times.system
        whole = psutil.cpu_times()
        stolen = getattr(whole, "steal", 0.0)  # Linux knows it
        return cls(spent, sum(whole) - whole.idle - getattr(whole, "iowait", 0.0) - stolen, stolen)

    def since(self, before: Self) -> Mapping[str, float]:
        """What each part has worked since then, the most first; `others` is what is no part of the service.

        `lost to the host` is no work of anybody's.
        """
        own = {name: spent - before.parts.get(name, 0.0) for name, spent in self.parts.items()}
        own["others"] = max(0.0, self.machine - before.machine - sum(own.values()))
        own["lost to the host"] = self.stolen - before.stolen
        return dict(sorted(own.items(), key=lambda one: -one[1]))


def _name(process: psutil.Process) -> str:
    words = process.cmdline()
    module = next((word for word in words if word.startswith("services.")), "")
    return module or process.name().partition(":")[0]

"""Solvers as processes of their own."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from msgspec.structs import replace

from libs.runtime.embedded.ports import free_port
from libs.runtime.settings import Settings
from tests import servers
from tests.services.api.service import Process, wait_for


class Solver(Process):
    """One of the fleet."""

    ops_port: int

    async def counted(self, name: str) -> float:
        """A value of its metrics, by name and labels; 0 for one that is not there."""
        async with httpx.AsyncClient(trust_env=False) as client:
            lines = (await client.get(f"http://127.0.0.1:{self.ops_port}/metrics")).text.splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == name), 0.0)


@contextmanager
def fleet(settings: Settings, count: int = 1) -> Iterator[list[Solver]]:
    """So many solvers that are ready; they are ended afterwards."""
    with servers.folder() as folder:
        solvers: list[Solver] = []
        try:
            for number in range(count):
                port = free_port()
                solvers.append(Solver("solver.serve", replace(settings, ops_port=port), folder / f"{number}.log"))
                solvers[-1].ops_port = port
            for solver in solvers:
                wait_for(f"http://127.0.0.1:{solver.ops_port}/health/ready", solver)
            yield solvers
        finally:
            for solver in solvers:
                if solver.running:
                    solver.end()

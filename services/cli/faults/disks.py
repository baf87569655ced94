"""The disk of a NATS store is full.

A limit on the size of files stands for it, which needs no rights: every write that makes a file longer fails, as on a
full disk.
"""

import resource
from collections.abc import Iterable, Sequence

import psutil

from services.cli.cluster import Cluster
from services.cli.faults.fault import Act, Fault, Stage
from services.cli.faults.processes import SERVERS
from services.cli.faults.streams import leader


def limit(cluster: Cluster, names: Sequence[str], size: int) -> None:
    """Let no file of these servers grow beyond this many bytes."""
    for name in names:
        _, most = psutil.Process(cluster.processes[name].pid).rlimit(psutil.RLIMIT_FSIZE)
        psutil.Process(cluster.processes[name].pid).rlimit(psutil.RLIMIT_FSIZE, (size, most))


def full(names: Sequence[str]) -> Act:
    """Nothing more can be written by these servers; then there is room again, and they are restarted one by one."""

    async def act(stage: Stage) -> None:
        await stage.do(limit, stage.cluster, names, 0)
        await stage.last()
        await stage.do(limit, stage.cluster, names, resource.RLIM_INFINITY)
        for name in names:
            await stage.do(stage.cluster.restart, name)

    return act


async def full_leader(stage: Stage) -> None:
    """The same for whichever server leads the log's stream."""
    await full([await leader(stage.cluster)])(stage)


def faults() -> Iterable[Fault]:
    """Each of these."""
    yield Fault(
        name="full-leader", does="the disk of the log's leader is full", expected="another leads", act=full_leader
    )
    yield Fault(
        name="full-all",
        does="the disks of all three NATS servers are full",
        expected="no move is taken until there is room and they are restarted",
        act=full(SERVERS),
    )

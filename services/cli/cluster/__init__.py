"""A whole cluster on one machine, as deploy/compose.yaml has it: three NATS, PostgreSQL, two of each service, a proxy.

    with Cluster() as cluster:               # starts everything, waits until it is ready, ends everything
        cluster.address                      # where players go: the proxy
        cluster.kill("game-1")               # as a power cut would; nothing starts it again but
        cluster.start("game-1")              # this, which waits until it is ready
        cluster.pause("nats-2")              # it stands still, its sockets stay open
        cluster.resume("nats-2")
        cluster.restart("api-1")             # asked to end (SIGTERM), waited for, started again

The names: nats-1 to nats-3, postgres, api-1, api-2, game-1, game-2, scheduler-1, scheduler-2, solver-1, solver-2,
worker-1, worker-2 and proxy. `cluster.processes[name]` is the process itself, with `pid`, `running`, `log_file` and,
but for postgres, `url`: where it answers /health/ready and /metrics, or what it has instead. `cluster.nats_urls` are
the addresses of the three servers by name, `cluster.postgres_dsn` is that of the database, and
`cluster.settings("operator")` leads to both as one of the users of NATS.

All of it is for one thread at a time and blocks: inside of an event loop call it by `asyncio.to_thread`.
"""

from services.cli.cluster.parts import Part
from services.cli.cluster.whole import Cluster

__all__ = ["Cluster", "Part"]

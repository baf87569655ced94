"""Real servers on this machine, for `wordyard up` and the tests: nats-server and PostgreSQL, both out of wheels."""

from libs.runtime.embedded.errors import StartFailed
from libs.runtime.embedded.nats_server import Cluster, NatsServer, cluster
from libs.runtime.embedded.postgres_server import Postgres

__all__ = ["Cluster", "NatsServer", "Postgres", "StartFailed", "cluster"]

"""What the servers say of the log's stream."""

from typing import Any

import msgspec

from libs.core import subjects
from libs.runtime import bus
from services.cli.cluster import Cluster

PATIENCE = 10.0  # seconds


async def info(cluster: Cluster) -> Any:
    """What the stream's leader says of it. Raises `Unreachable` or `nats.errors.Error`."""
    connection = await bus.connect(cluster.settings(), "faults", PATIENCE)
    try:
        reply = await connection.request(f"$JS.API.STREAM.INFO.{subjects.GAMES}", timeout=PATIENCE)
        return msgspec.json.decode(reply.data)
    finally:
        await connection.close()


async def leader(cluster: Cluster) -> str:
    """The name of the server that leads the log's stream. Raises as `info` does."""
    name: str = (await info(cluster))["cluster"]["leader"]
    return name

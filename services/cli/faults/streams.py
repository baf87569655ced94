"""What the servers say of the log's stream."""

import asyncio
import time

import msgspec
import nats.errors

from libs.core import subjects
from libs.runtime import bus
from libs.runtime.connection import Connection
from services.cli.cluster import Cluster

PATIENCE = 30.0  # seconds
AGAIN = 1.0  # seconds after which the question is asked again: one that comes while nobody leads is never answered


async def leader(cluster: Cluster) -> str:
    """The name of the server that leads the log's stream, once there is one. Raises `Unreachable` or `TimeoutError`."""
    connection = await bus.connect(cluster.settings(), "faults", PATIENCE)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (name := await _leader(connection)):
            if time.monotonic() > deadline:
                raise TimeoutError
            await asyncio.sleep(AGAIN)
        return name
    finally:
        await connection.close()


async def _leader(connection: Connection) -> str:
    """Its name; empty while nobody leads."""
    try:
        reply = await connection.request(f"$JS.API.STREAM.INFO.{subjects.GAMES}", timeout=AGAIN)
    except nats.errors.Error:
        return ""
    name: str = msgspec.json.decode(reply.data).get("cluster", {}).get("leader", "")
    return name

"""The three streams and their durable consumers: what they must be, and the one step that makes them so."""

import asyncio
import time
from contextlib import suppress
from typing import Any

import msgspec
import nats.errors
import structlog
from msgspec import Struct

from libs.core import subjects
from libs.core.version import VERSION
from libs.runtime.connection import Connection

log = structlog.get_logger()

SECOND = 1_000_000_000  # nanoseconds, in which the server counts
DAY = 86_400 * SECOND

STAMP = "wordyard.version"  # in the metadata: of the release that has last made or changed this
NOT_FOUND = (10059, 10014)  # stream, consumer
UNSETTLED = (10005, 10008)  # too few servers seen so far, no leader yet
PATIENCE = 10.0  # seconds for the server to make something
PAUSE = 0.1  # seconds before it is asked again


class StreamsDiffer(RuntimeError):
    """A stream or consumer is missing or is not what it must be, and could not be made so; says which and in what."""


def wanted(replicas: int) -> tuple[dict[str, Any], ...]:
    """What the streams must be, in the server's own words."""
    common = {"storage": "file", "num_replicas": replicas, "allow_direct": True, "duplicate_window": 120 * SECOND}
    games = {
        "name": subjects.GAMES,
        "subjects": ["game.>"],
        "allow_atomic": True,
        "deny_delete": True,
        "republish": {"src": "game.>", "dest": "log.>", "headers_only": True},
    }
    timers = {
        "name": subjects.TIMERS,
        "subjects": ["timer.>", "due.>"],
        "max_msgs_per_subject": 1,
        "allow_msg_schedules": True,
        "allow_msg_ttl": True,
    }
    chat = {"name": subjects.CHAT, "subjects": ["chat.>"], "max_age": 2 * DAY, "allow_msg_ttl": True}
    return tuple({**common, **stream} for stream in (games, timers, chat))


async def ensure_streams(connection: Connection, replicas: int, *, create: bool = True) -> None:
    """Compare every stream with what it must be; with `create`, make or change what is not.

    What a newer release has made or changed is left as it is. Safe to repeat, and by several at once. Raises
    `StreamsDiffer`.
    """
    for config in wanted(replicas):
        name = config["name"]
        await _ensure(
            connection,
            Steps(f"STREAM.INFO.{name}", f"STREAM.CREATE.{name}", f"STREAM.UPDATE.{name}"),
            config,
            create=create,
        )


async def ensure_consumer(connection: Connection, stream: str, config: dict[str, Any], *, create: bool = True) -> None:
    """The same for a durable consumer, whose `config` holds its `durable_name`. Raises `StreamsDiffer`."""
    name = f"{stream}.{config['durable_name']}"
    make = f"CONSUMER.CREATE.{name}"
    await _ensure(connection, Steps(f"CONSUMER.INFO.{name}", make, make, stream), config, create=create)


class Steps(Struct):
    """The questions that show, make and change a stream, or a consumer of `stream`."""

    info: str
    make: str
    change: str
    stream: str | None = None

    def body(self, config: dict[str, Any]) -> dict[str, Any]:
        """What to send so that something becomes what `config` says."""
        return {"stream_name": self.stream, "config": config} if self.stream else config


async def _ensure(connection: Connection, steps: Steps, config: dict[str, Any], *, create: bool) -> None:
    found = await _request(connection, steps.info)
    metadata: dict[str, str] = found.get("config", {}).get("metadata") or {}
    if (version := int(metadata.get(STAMP, 0))) > VERSION:
        log.warning("streams.newer", what=steps.info, version=version)
        return
    stamped = {**config, "metadata": {**metadata, STAMP: str(VERSION)}}
    if create and _code(found) in NOT_FOUND:
        found = await _request(connection, steps.make, steps.body(stamped))
        log.info("streams.made", what=steps.make)
    elif create and "config" in found and (differing := _differing(config, found["config"])):
        # what the server knows beyond our words is handed back as it was
        found = await _request(connection, steps.change, steps.body({**found["config"], **stamped}))
        log.info("streams.changed", what=steps.change, fields=differing)
    if error := found.get("error"):
        raise StreamsDiffer(f"{steps.info}: {error['description']}")
    if differing := _differing(config, found["config"]):
        raise StreamsDiffer(f"{steps.info}: {', '.join(differing)} is not what it must be")


def _differing(config: dict[str, Any], found: dict[str, Any]) -> list[str]:
    return [field for field, value in config.items() if found.get(field, False) != value]


def _code(found: dict[str, Any]) -> int:
    return int(found.get("error", {}).get("err_code", 0))


async def _request(connection: Connection, what: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """The server's answer, good or bad; asked again while a cluster is still finding itself."""
    data = msgspec.json.encode(body) if body else b""
    deadline = time.monotonic() + PATIENCE
    while True:
        found: dict[str, Any] = {}
        with suppress(nats.errors.NoRespondersError, nats.errors.TimeoutError, nats.errors.OutboundBufferLimitError):
            answer = await connection.request(f"$JS.API.{what}", data, timeout=PATIENCE / 4)
            found = msgspec.json.decode(answer.data)
        if found and _code(found) not in UNSETTLED:
            return found
        if time.monotonic() > deadline:
            raise StreamsDiffer(f"JetStream does not answer ({what}): {found}")
        await asyncio.sleep(PAUSE)

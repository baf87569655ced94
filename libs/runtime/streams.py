"""The three streams: what they must be, and the one step that makes them so."""

from typing import Any

import msgspec
import nats.errors
import structlog
from nats.aio.client import Client

from libs.core import subjects

log = structlog.get_logger()

SECOND = 1_000_000_000  # nanoseconds, in which the server counts
DAY = 86_400 * SECOND

STREAM_NOT_FOUND = 10059


class StreamsDiffer(RuntimeError):
    """A stream is missing or is not what it must be, and could not be made so; says which and in what."""


def wanted(replicas: int) -> tuple[dict[str, Any], ...]:
    """What the streams must be, in the server's own words."""
    common = {"storage": "file", "num_replicas": replicas, "allow_direct": True, "duplicate_window": 120 * SECOND}
    games = {
        "name": subjects.GAMES,
        "subjects": ["game.>"],
        "allow_atomic": True,
        "deny_delete": True,
        "deny_purge": True,
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


async def ensure_streams(connection: Client, replicas: int, *, create: bool = True) -> None:
    """Compare every stream with what it must be; with `create`, make or change what is not.

    Safe to repeat, and by several at once. Raises `StreamsDiffer`.
    """
    for config in wanted(replicas):
        await _ensure(connection, config, create=create)


async def _ensure(connection: Client, config: dict[str, Any], *, create: bool) -> None:
    name = config["name"]
    found = await _request(connection, f"STREAM.INFO.{name}")
    if create and found.get("error", {}).get("err_code") == STREAM_NOT_FOUND:
        found = await _request(connection, f"STREAM.CREATE.{name}", config)
        log.info("streams.created", stream=name)
    elif create and "config" in found and (differing := _differing(config, found["config"])):
        # what the server knows beyond our words is handed back as it was
        found = await _request(connection, f"STREAM.UPDATE.{name}", {**found["config"], **config})
        log.info("streams.changed", stream=name, fields=differing)
    if error := found.get("error"):
        raise StreamsDiffer(f"stream {name}: {error['description']}")
    if differing := _differing(config, found["config"]):
        raise StreamsDiffer(f"stream {name}: {', '.join(differing)} is not what it must be")


def _differing(config: dict[str, Any], found: dict[str, Any]) -> list[str]:
    return [field for field, value in config.items() if found.get(field, False) != value]


async def _request(connection: Client, what: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = msgspec.json.encode(body) if body else b""
    try:
        answer = await connection.request(f"$JS.API.{what}", data, timeout=10)
    except (nats.errors.NoRespondersError, nats.errors.TimeoutError) as error:
        raise StreamsDiffer(f"JetStream does not answer ({what})") from error
    found: dict[str, Any] = msgspec.json.decode(answer.data)
    return found

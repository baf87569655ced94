"""Streams as files: the server's own snapshots, taken while it runs, and put back where there is no such stream."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from nats.aio.msg import Msg

from libs.core import subjects
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.streams import wanted

STREAMS = ("KV_scheduler", subjects.TIMERS, subjects.CHAT, subjects.GAMES)
"""In this order: the log comes last, so that nobody has heard of more than it holds."""

CHUNK = 128 * 1024  # bytes
PATIENCE = 30.0  # seconds for the server's next word

Progress: TypeAlias = Callable[[int], None]
"""Told how many bytes have passed."""


class BackupFailed(RuntimeError):
    """A stream was not saved, or not put back; says which and why."""


class Saved(Struct, frozen=True, kw_only=True):
    """A stream in a file. `config` and `state` are in the server's own words."""

    name: str
    file: str
    bytes: int
    sha256: str
    config: dict[str, Any]
    state: dict[str, Any]


async def save(connection: Connection, name: str, folder: Path, progress: Progress) -> Saved | None:
    """Write a stream into a file; none if there is no such stream. Raises `BackupFailed`."""
    arriving: asyncio.Queue[Msg] = asyncio.Queue()
    inbox = f"{connection.new_inbox()}.{ids.new_id()}"
    listening = await connection.listen(inbox, arriving.put_nowait)
    question = {"deliver_subject": inbox, "no_consumers": True, "chunk_size": CHUNK, "jsck": True}
    begun = await _ask(connection, f"STREAM.SNAPSHOT.{name}", question)
    if begun.get("error", {}).get("err_code") == 10059:
        return None
    if "error" in begun:
        raise BackupFailed(f"{name}: {begun['error']['description']}")
    file, digest, size = folder / f"{name}.snapshot", sha256(), 0
    with file.open("wb") as out:
        while (message := await _next(arriving, name)).data:
            out.write(message.data)
            digest.update(message.data)
            size += len(message.data)
            progress(len(message.data))
            if message.reply:  # the server waits for a word now and then
                await connection.publish(message.reply)
    await listening.unsubscribe()
    if (said := (message.headers or {}).get("Status", "204")) != "204":
        raise BackupFailed(f"{name}: {said} {(message.headers or {}).get('Description', '')}")
    return Saved(
        name=name,
        file=file.name,
        bytes=size,
        sha256=digest.hexdigest(),
        config=begun["config"],
        state=begun["state"],
    )


async def put_back(connection: Connection, saved: Saved, folder: Path, replicas: int, progress: Progress) -> None:
    """Make the stream out of its file, as this release wants it to be. Raises `BackupFailed`."""
    config = {**saved.config, "num_replicas": replicas}
    own = next((each for each in wanted(replicas) if each["name"] == saved.name), None)
    if saved.name == subjects.GAMES:
        config["deny_purge"] = False  # a log from before there was an archive
    question = {"config": {**config, **(own or {})}, "state": saved.state}
    begun = await _ask(connection, f"STREAM.RESTORE.{saved.name}", question)
    if "error" in begun:
        raise BackupFailed(f"{saved.name}: {begun['error']['description']}")
    with (folder / saved.file).open("rb") as file:
        while chunk := file.read(CHUNK):
            await connection.request(begun["deliver_subject"], chunk, timeout=PATIENCE)
            progress(len(chunk))
    answer = await connection.request(begun["deliver_subject"], timeout=PATIENCE)
    restored = msgspec.json.decode(answer.data)
    if "error" in restored:
        raise BackupFailed(f"{saved.name}: {restored['error']['description']}")
    if restored["state"]["last_seq"] != saved.state["last_seq"]:
        raise BackupFailed(
            f"{saved.name}: it ends at {restored['state']['last_seq']} instead of {saved.state['last_seq']}"
        )


async def exists(connection: Connection, name: str) -> bool:
    """Is there such a stream?"""
    return "config" in await _ask(connection, f"STREAM.INFO.{name}")


async def _ask(connection: Connection, what: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = msgspec.json.encode(body) if body else b""
    answer = await connection.request(f"$JS.API.{what}", data, timeout=PATIENCE)
    found: dict[str, Any] = msgspec.json.decode(answer.data)
    return found


async def _next(arriving: "asyncio.Queue[Msg]", name: str) -> Msg:
    try:
        async with asyncio.timeout(PATIENCE):
            return await arriving.get()
    except TimeoutError:
        raise BackupFailed(f"{name}: the server has fallen silent") from None

"""Where the servers are, for commands that look at what Wordyard keeps: running ones, or started for the while."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import click
import nats.errors
import psycopg
from msgspec.structs import replace

from libs.runtime import bus, postgres, telemetry
from libs.runtime.archive import Archive
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.connection import Connection
from libs.runtime.embedded import StartFailed
from libs.runtime.log import Damaged, Log, Rewound, StreamsDiffer, Unread, ensure_streams
from libs.runtime.settings import PREFIX, BadSetting, Settings, read
from services.cli.folder import DEFAULT, Folder, InUse

PATIENCE = 10.0  # seconds for NATS to answer

DATA = click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=f"The data folder of `wordyard up`, whether that runs or not (else: {PREFIX}* settings, else {DEFAULT}/).",
)


@contextmanager
def reach(data: Path | None) -> Iterator[Settings]:
    """Settings that lead to the servers of a data folder, or of the environment; servers that do not run are started.

    Raises `click.ClickException` if there is nothing to be reached.
    """
    try:
        if data is None and PREFIX + "NATS_URL" in os.environ:
            yield read()
            return
        folder = Folder(data or DEFAULT)
        if not (folder.path / "nats").is_dir():
            raise click.ClickException(f"There is no Wordyard in {folder.path}. Name its folder with --data.")
        with _servers(folder) as settings:
            yield settings
    except (BadSetting, StartFailed) as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def reach_new(data: Path | None) -> Iterator[Settings]:
    """The same for servers that have nothing yet: of the environment, or of a data folder that is made for them.

    Raises `click.ClickException`.
    """
    try:
        if data is None:
            yield read()
            return
        if data.exists() and any(data.iterdir()):
            raise click.ClickException(f"There is something in {data} already.")
        with _servers(Folder(data), migrate=False) as settings:
            yield settings
    except (BadSetting, StartFailed) as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def _servers(folder: Folder, *, migrate: bool = True) -> Iterator[Settings]:
    try:
        folder.hold()
    except InUse:
        if not (folder.nats.running and folder.postgres.running):
            raise click.ClickException(f"The servers in {folder.path} are starting or stopping.") from None
        yield Settings(nats_url=folder.nats.url, postgres_url=folder.postgres.url)
        return
    log, database = folder.nats, folder.postgres
    try:
        folder.sign()
        log.start()
        database.start()
        if migrate:
            postgres.migrate(database.url, contract=True)
        yield Settings(nats_url=log.url, postgres_url=database.url)
    finally:
        log.stop()
        database.stop()
        folder.release()


@asynccontextmanager
async def the_log(settings: Settings, name: str) -> AsyncIterator[Log]:
    """The log at these servers, with its archive.

    Raises `click.ClickException` for whatever is not in order, in the block too.
    """
    async with connected(settings, name) as connection, postgres.pool(settings, most=2) as pool:
        yield ArchivedLog(connection, Archive(pool, patience=PATIENCE))


@asynccontextmanager
async def connected(settings: Settings, name: str) -> AsyncIterator[Connection]:
    """A connection to the NATS of these servers, which has the log; raises as `the_log` does."""
    telemetry.setup(replace(settings, log_level="error"), name, sys.stderr.buffer)
    try:
        connection = await bus.connect(settings, name, PATIENCE)
        try:
            await ensure_streams(connection, settings.log_replicas, create=False)
            yield connection
        finally:
            await connection.close()
    except Unread as error:
        raise click.ClickException(str(error) or "NATS does not answer") from None
    except TimeoutError:
        raise click.ClickException("NATS does not answer") from None
    except (StreamsDiffer, Rewound, Damaged, BadSetting, bus.ServerTooOld, bus.Unreachable) as error:
        raise click.ClickException(str(error)) from None
    except (nats.errors.Error, psycopg.Error, OSError) as error:
        raise click.ClickException(f"{type(error).__name__}: {error}".strip()) from None

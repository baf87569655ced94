"""`wordyard backup` and `wordyard restore`: everything that cannot be made again, into a folder and out of it."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path

import click
import msgspec
import nats.errors
import psycopg
from msgspec import Struct
from rich.console import Console
from rich.progress import DownloadColumn, Progress, TextColumn, TimeElapsedColumn

from libs.core import subjects
from libs.runtime import bus, postgres
from libs.runtime.archive import Archive
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.direct import Unread
from libs.runtime.settings import PREFIX, Settings
from libs.runtime.streams import StreamsDiffer, ensure_streams
from services.cli import backup_streams, backup_tables
from services.cli.backup_streams import STREAMS, BackupFailed, Saved
from services.cli.folder import DEFAULT, KEYS
from services.cli.reach import DATA, PATIENCE, reach, reach_new

MANIFEST = "backup.json"
FORMAT = 1

Told = Callable[[int], None]

_now = clock()


class Manifest(Struct, frozen=True, kw_only=True):
    """What is in a backup; written when all the rest is."""

    format: int
    release: str
    at: datetime
    streams: list[Saved]
    tables: str  # the file
    tables_sha256: str
    keys: list[str]  # files of secrets of an embedded service

    @property
    def end(self) -> int:
        """The sequence of the newest record of the log."""
        return next(int(saved.state["last_seq"]) for saved in self.streams if saved.name == subjects.GAMES)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@DATA
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def backup(folder: Path, data: Path | None, as_json: bool) -> None:
    """Write log, timers, chat and tables into the new FOLDER, while the service runs or not.

    It holds everything that the service knows, secrets included.
    """
    if folder.exists():
        raise click.ClickException(f"{folder} is there already.")
    with reach(data) as settings, _failures(), _progress() as told:
        keys = data or (None if f"{PREFIX}NATS_URL" in os.environ else DEFAULT)
        manifest = asyncio.run(_save(settings, folder, keys, told))
    _say(manifest, as_json, f"Everything up to record {manifest.end:,} of the log is in {folder}.")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="The new data folder of `wordyard up` (else: WORDYARD_* settings, which lead to empty servers).",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def restore(folder: Path, data: Path | None, as_json: bool) -> None:
    """Put the backup in FOLDER back, where there is nothing yet; `wordyard audit --all` then proves it."""
    with _failures():
        manifest = read(folder)
        with reach_new(data) as settings, _progress() as told:
            asyncio.run(_put_back(settings, folder, manifest, told))
            if data is not None:
                for key in manifest.keys:
                    shutil.copy(folder / key, data / key)
    _say(manifest, as_json, f"The backup of {manifest.at:%Y-%m-%d %H:%M} UTC is back, up to record {manifest.end:,}.")


def read(folder: Path) -> Manifest:
    """What is in this backup, after every file has been compared with its checksum. Raises `BackupFailed`."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError) as error:
        raise BackupFailed(f"{folder} is no whole backup: {error}") from None
    if manifest.format != FORMAT:
        raise BackupFailed(f"{folder} was made by another release ({manifest.release})")
    sums = {saved.file: saved.sha256 for saved in manifest.streams} | {manifest.tables: manifest.tables_sha256}
    for name, right in sums.items():
        if _sum(folder / name) != right:
            raise BackupFailed(f"{folder / name} is not what it was")
    return manifest


async def _save(settings: Settings, folder: Path, keys: Path | None, told: Told) -> Manifest:
    draft = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    # whatever leaves the stream for the archive meanwhile would be in neither file
    async with (
        _connected(settings) as connection,
        postgres.pool(settings, most=1) as pool,
        Archive(pool, patience=PATIENCE).kept() as held,
    ):
        # tables first: then the log knows no less than they do
        tables = await asyncio.to_thread(backup_tables.save, settings.postgres_url, draft)
        found = [await backup_streams.save(connection, name, draft, told) for name in STREAMS]
        await held.execute("select 1")  # a connection that is lost has kept nothing
    there = [name for name in KEYS if keys is not None and (keys / name).exists()]
    for name in there:
        shutil.copy((keys or folder) / name, draft / name)
    manifest = Manifest(
        format=FORMAT,
        release=version("wordyard"),
        at=_now(),
        streams=[saved for saved in found if saved is not None],
        tables=tables.name,
        tables_sha256=_sum(tables),
        keys=there,
    )
    (draft / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    draft.rename(folder)
    return manifest


async def _put_back(settings: Settings, folder: Path, manifest: Manifest, told: Told) -> None:
    async with _connected(settings) as connection:
        for saved in manifest.streams:
            if await backup_streams.exists(connection, saved.name):
                raise BackupFailed(f"there is a stream {saved.name} already")
        await asyncio.to_thread(backup_tables.put_back, settings.postgres_url, folder / manifest.tables)
        for saved in manifest.streams:
            await backup_streams.put_back(connection, saved, folder, settings.log_replicas, told)
        await asyncio.to_thread(postgres.migrate, settings.postgres_url)
        await ensure_streams(connection, settings.log_replicas)


@asynccontextmanager
async def _connected(settings: Settings) -> AsyncIterator[Connection]:
    connection = await bus.connect(settings, "backup", PATIENCE)
    try:
        yield connection
    finally:
        await connection.close()


def _sum(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except (BackupFailed, StreamsDiffer, bus.ServerTooOld, bus.Unreachable) as error:
        raise click.ClickException(str(error)) from None
    except (nats.errors.Error, psycopg.Error, Unread, OSError) as error:
        raise click.ClickException(f"{type(error).__name__}: {error}".strip()) from None


@contextmanager
def _progress() -> Iterator[Told]:
    with Progress(TextColumn("streams"), DownloadColumn(), TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None)
        yield lambda size: bar.advance(task, size)


def _say(manifest: Manifest, as_json: bool, words: str) -> None:
    if as_json:
        sizes = {saved.name: saved.bytes for saved in manifest.streams}
        facts = {"at": manifest.at, "records": manifest.end, "streams": sizes, "keys": manifest.keys}
        click.echo(msgspec.json.encode(facts))
    else:
        click.echo(words)

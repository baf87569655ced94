"""`wordyard up`: everything embedded, one address."""

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import click
import msgspec
import psutil
from msgspec.structs import replace
from rich.console import Console

from libs.runtime.clock import clock
from libs.runtime.embedded import StartFailed
from libs.runtime.embedded.nats_server import Sync
from libs.runtime.embedded.ports import free_port
from libs.runtime.settings import BadSetting, Settings, read
from services.cli.children import Failed
from services.cli.embedded import Embedded
from services.cli.folder import DEFAULT, Folder, InUse

CLEANED_WITHIN = 30.0  # seconds for the guard of a killed predecessor to clean up


class Instant(click.ParamType[datetime]):
    """An instant in ISO 8601 with its offset from UTC, as in 2026-03-08T23:59:00-05:00."""

    name = "instant"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The instant; fails for a text that is none, or that leaves the offset open."""
        try:
            instant = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value} is no instant such as 2026-03-08T23:59:00-05:00", param, ctx)
        if instant.tzinfo is None:
            self.fail(f"{value} lacks its offset from UTC, such as Z or -05:00", param, ctx)
        return instant


@click.command()
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help=f"The data folder ({DEFAULT}/).")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0: any free port.")
@click.option("--ephemeral", is_flag=True, help="Keep nothing: use a new folder that goes with the service.")
@click.option("--now", type=Instant(), help="Let the service's clock start here, to try a midnight for instance.")
@click.option(
    "--sync",
    type=click.Choice(["always", "lazy"]),
    default="always",
    help="When a move is on the disk: before it is acknowledged, or soon after (faster; a power cut loses it).",
)
@click.option("--solvers", type=click.IntRange(1, 32), default=1, show_default=True, help="How many answer boards.")
@click.option("--without", type=click.Choice(["scheduler"]), help="A service that is started by somebody else.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def up(
    data: Path | None,
    port: int,
    ephemeral: bool,
    now: datetime | None,
    sync: Sync,
    solvers: int,
    without: str | None,
    as_json: bool,
) -> None:
    """Run everything on this machine and print where to play. Ctrl-C ends it."""
    if data and ephemeral:
        raise click.UsageError("--ephemeral keeps nothing, so it takes no --data")
    folder = Folder(Path(tempfile.mkdtemp(prefix="wordyard-")) if ephemeral else data or DEFAULT, sync)
    try:
        _hold(folder)
        settings = _settings(folder, port, now)
        everything = Embedded(folder, settings, solvers, without)
        asyncio.run(_run(folder, everything, settings.address, ephemeral, as_json))
    except (StartFailed, Failed, BadSetting) as error:
        raise click.ClickException(str(error)) from None
    except TimeoutError:
        raise click.ClickException(f"Not everything became ready in time. The logs are in {folder.logs}") from None
    finally:
        folder.release()
        if ephemeral:
            shutil.rmtree(folder.path, ignore_errors=True)


def _hold(folder: Folder) -> None:
    deadline, told = time.monotonic() + CLEANED_WITHIN, False
    while True:
        try:
            folder.hold()
            folder.sign()
            return
        except InUse as busy:
            alive = busy.holder is None or psutil.pid_exists(busy.holder.pid)
            if alive or time.monotonic() > deadline:
                raise click.ClickException(_in_use(folder, busy)) from None
        if not told:
            click.echo("The last run was killed; waiting until its remains are cleaned up.", err=True)
            told = True
        time.sleep(0.2)


def _in_use(folder: Folder, busy: InUse) -> str:
    holder = busy.holder
    who = f" by process {holder.pid}" if holder else ""
    where = f" (Wordyard at {holder.address})" if holder and holder.address else ""
    return f"The data folder {folder.path} is in use{who}{where}. Stop that first, or choose another with --data."


def _settings(folder: Folder, port: int, now: datetime | None) -> Settings:
    base = read()
    return replace(
        base,
        port=_port(base.host, port),
        secret_key=folder.secret_key(),
        daily_key=folder.daily_key(),
        push_key=base.push_key or folder.push_key(),
        outbox=not base.smtp_url,
        log_replicas=1,
        create_streams=True,
        ops_host="127.0.0.1",
        embedded=True,
        clock_offset=(now - clock()()) / timedelta(seconds=1) if now else 0.0,
    )


def _port(host: str, port: int) -> int:
    if not port:
        return free_port()
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise click.ClickException(
                f"Port {port} cannot be used on {host} ({os.strerror(error.errno or 0)}). "
                "Stop what uses it, or choose another with --port (0 takes any free one)."
            ) from None
    return port


async def _run(folder: Folder, everything: Embedded, address: str, ephemeral: bool, as_json: bool) -> None:
    """Start, print the address, and wait for the end."""
    stop, hurry = asyncio.Event(), asyncio.Event()

    def told() -> None:
        (hurry if stop.is_set() else stop).set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, told)
    try:
        with _progress() as say:
            if not await _unless(stop, everything.start(remove=ephemeral, say=say)):
                return
        folder.sign(address)
        if as_json:
            facts = {
                "address": address,
                "data": str(folder.path),
                "logs": str(folder.logs),
                "pid": os.getpid(),
            }
            click.echo(msgspec.json.encode(facts))
        else:
            click.echo(f"Wordyard is ready at {address}")
            click.echo(f"Ctrl-C ends it. Logs: {folder.logs}", err=True)
        sys.stdout.flush()
        await _unless(stop, everything.watch())
    finally:
        await everything.stop(hurry)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A line that says what is being waited for, where somebody can see it change."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status("Starting") as status:
            yield status.update
    else:
        yield lambda _: None


async def _unless(stop: asyncio.Event, work: Awaitable[None]) -> bool:
    """Work until it is done, or until told to stop; answers whether it was done. Raises what the work raises."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if working.done():
        working.result()
        return True
    working.cancel()
    await asyncio.wait([working])
    return False

"""`wordyard prepare`: tables, streams and what the solver works with, before the first start of a new release."""

import asyncio
from contextlib import suppress
from pathlib import Path

import click
import msgspec
import nats.errors
import psycopg
from msgspec.structs import replace

from libs.runtime import bus, migrating, postgres
from libs.runtime.settings import BadSetting, Settings, read
from libs.runtime.streams import StreamsDiffer, ensure_streams
from libs.runtime.timers import due_consumer
from services.scheduler import lease
from services.solver import build_kernel, kernel, letters, matrix, place

PATIENCE = 30.0  # seconds for the broker to be there


@click.command()
@click.option(
    "--contract", is_flag=True, help="Also take away what no release needs that still runs (docs/upgrades.md)."
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def prepare(contract: bool, as_json: bool) -> None:
    """Make or change tables and streams as this release needs them, and the solver's kernel and matrix on this machine.

    Safe to repeat, and while services of the release before run. Configured by the environment.
    """
    try:
        settings = read()
        files = postgres.migrate(settings.postgres_url, contract=contract)
        waiting = migrating.waiting(migrating.applied(settings.postgres_url))
        asyncio.run(_streams(settings))
        runs_on = _solver(place.folder(settings.solver_folder))
    except (BadSetting, bus.Unreachable) as error:
        raise click.ClickException(str(error)) from None
    except (StreamsDiffer, bus.ServerTooOld, nats.errors.Error, psycopg.Error) as error:
        raise click.ClickException(f"{type(error).__name__}: {error}") from None
    except TimeoutError:
        raise click.ClickException("NATS does not answer") from None
    if as_json:
        click.echo(msgspec.json.encode({"tables": files, "waiting": waiting, "kernel": runs_on}))
    else:
        for file in files:
            click.echo(f"applied {file}")
        for file in waiting:
            click.echo(f"waits for --contract: {file}")
        click.echo("Tables and streams are as this release needs them.")
        click.echo(f"The solver runs on {runs_on}.")


def _solver(folder: Path) -> str:
    """Make the matrix, and compile the kernel where there is a compiler; answers with the kernel that will run."""
    words = letters.newest()
    with suppress(build_kernel.NotBuilt):
        build_kernel.build(folder)
    matrix.ready(folder, words)
    return kernel.load(words, folder).name


async def _streams(settings: Settings) -> None:
    connection = await bus.connect(settings, "prepare", PATIENCE)
    try:
        async with asyncio.timeout(PATIENCE):
            await ensure_streams(connection, settings.log_replicas)
            await due_consumer(connection)
            await lease.bucket(connection, replace(settings, create_streams=True))
    finally:
        await connection.close()

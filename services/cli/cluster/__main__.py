"""deploy/local-cluster: the cluster of deploy/compose.yaml on this machine, without containers."""

import signal
import sys
import tempfile
from pathlib import Path
from shutil import rmtree

import click
import msgspec

from libs.runtime.embedded import StartFailed
from services.cli.cluster.whole import Cluster
from services.cli.folder import InUse

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Told(BaseException):
    """Somebody wants us to end."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Keep everything in this folder.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the proxy. 0: any free port.")
@click.option("--tls", is_flag=True, help="Encrypt: to players, to NATS, between its servers.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def main(data: Path | None, port: int, tls: bool, as_json: bool) -> None:
    """Run three NATS, PostgreSQL, two of each service and a proxy on this machine. Ctrl-C ends them.

    They have the environment that compose.yaml gives them, but for addresses and secrets.
    """
    for number in SIGNALS:
        signal.signal(number, _told)
    folder = data or Path(tempfile.mkdtemp(prefix="wy-"))
    try:
        cluster = Cluster(folder, port=port, tls=tls)
        cluster.open(say=lambda what: click.echo(what, err=True))
        try:
            _tell(cluster, as_json)
            while True:
                signal.pause()
        finally:
            click.echo("Ending", err=True)
            cluster.close()
    except Told:
        pass
    except InUse:
        raise click.ClickException(f"The folder {folder} is in use.") from None
    except (StartFailed, ValueError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        if data is None:
            rmtree(folder, ignore_errors=True)


def _told(*_: object) -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise Told


def _tell(cluster: Cluster, as_json: bool) -> None:
    """Say where everything is."""
    if as_json:
        facts = {
            "address": cluster.address,
            "data": str(cluster.folder.path),
            "processes": {name: part.pid for name, part in cluster.processes.items()},
        }
        click.echo(msgspec.json.encode(facts))
    else:
        click.echo(f"Wordyard is ready at {cluster.address}")
        click.echo(f"Ctrl-C ends it. Logs: {cluster.folder.logs}", err=True)
    sys.stdout.flush()


if __name__ == "__main__":
    main()

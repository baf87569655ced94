"""A real nats-server with the users of deploy/nats-users.conf, whose passwords are their names in capitals."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from libs.runtime.embedded.nats_server import BINARY
from libs.runtime.embedded.ports import HOST

USERS = Path(__file__).parents[2] / "deploy" / "nats-users.conf"
NAMES = ("operator", "game", "api", "solver", "worker", "scheduler")


@contextmanager
def with_users(folder: Path, port: int) -> Iterator[None]:
    """One that keeps its streams in this folder; clients wait for it by themselves."""
    config = folder / "nats.conf"
    config.write_text(f'listen: "{HOST}:{port}"\njetstream {{ store_dir: "{folder}" }}\n' + USERS.read_text())
    passwords = {f"{name.upper()}_PASSWORD": name.upper() for name in NAMES}
    server = subprocess.Popen(
        [str(BINARY), "-c", str(config)], env={**os.environ, **passwords}, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        server.kill()
        server.wait()

"""A real nats-server that speaks TLS."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from libs.runtime.embedded.nats_server import BINARY
from libs.runtime.embedded.ports import HOST, free_port
from tests import servers
from tests.security.authority import Authority, Pair


@contextmanager
def encrypted_nats(pair: Pair, clients: Authority | None = None) -> Iterator[int]:
    """One with this certificate, on the port that is given; `clients`: who does not show one of theirs is refused."""
    with servers.folder() as folder:
        port = free_port()
        encryption: dict[str, object] = {"cert_file": pair.cert, "key_file": pair.key}
        if clients:
            encryption |= {"verify": True, "ca_file": clients.file}
        config = {"listen": f"{HOST}:{port}", "tls": encryption, "jetstream": {"store_dir": str(folder)}}
        with started(config, folder):
            yield port


@contextmanager
def started(config: dict[str, object], folder: Path) -> Iterator[None]:
    """A server with this configuration, until the block ends; clients wait for it by themselves."""
    file = folder / "nats.json"
    file.write_text(json.dumps(config))
    server = subprocess.Popen([str(BINARY), "-c", str(file)], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        server.kill()
        server.wait()

"""A real nats-server with JetStream, alone or as a cluster on one machine."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import psutil

from libs.runtime import ids
from libs.runtime.embedded.errors import StartFailed
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.embedded.processes import have_ended

BINARY = Path(sys.executable).parent / "nats-server"

Sync: TypeAlias = Literal["always", "lazy"]
"""`always`: what is acknowledged is on the disk. `lazy`: the server's own default, which syncs every two minutes."""

PATIENCE = 30.0  # seconds for a server to come up: a large log is read again after a crash


class NatsServer:
    """One nats-server that keeps everything in one folder: configuration, log file, process id and streams.

    The port and the access token are drawn once and kept in the folder, so the address outlives restarts and another
    process can find a server that is running there.
    """

    def __init__(self, store: Path, port: int = 0, *, sync: Sync = "always", patience: float = PATIENCE) -> None:
        """`patience` is how many seconds it may take to come up, and to end in order."""
        self.store = store.resolve()
        self.config_file = self.store / "nats.json"
        self.log_file = self.store / "nats.log"
        self._pid_file = self.store / "nats.pid"
        self._process: subprocess.Popen[bytes] | None = None
        known = json.loads(self.config_file.read_text()) if self.config_file.exists() else {}
        self._port_is_ours = not port
        self.port: int = port or known.get("port") or free_port()
        self._token: str = known.get("authorization", {}).get("token") or ids.token()
        self._sync = sync
        self._patience = patience
        self._log_before = 0  # bytes in the log file that are of earlier starts
        self._cluster: dict[str, Any] | None = None
        self.name = "wordyard"

    def join(self, name: str, port: int, routes: Sequence[int]) -> None:
        """Before the start: be the member `name` of a cluster whose members listen for each other on these ports."""
        self.name = name
        self._cluster = {
            "name": "wordyard",
            "listen": f"{HOST}:{port}",
            "routes": [f"nats://{HOST}:{other}" for other in routes if other != port],
        }

    @property
    def url(self) -> str:
        """Where clients connect; holds the access token, so it is not for logs."""
        return f"nats://{self._token}@{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        """The process id of the server that runs on this folder, whoever started it; none if none does."""
        if self._process is not None and self._process.poll() is None:
            return self._process.pid  # known even when somebody has removed the folder under it
        try:
            pid = int(self._pid_file.read_text())
            return pid if str(self.config_file) in psutil.Process(pid).cmdline() else None
        except (OSError, ValueError, psutil.Error):
            return None

    @property
    def running(self) -> bool:
        """Does a server run on this folder?"""
        return self.pid is not None

    def start(self) -> None:
        """Start and wait until JetStream answers. A server that a killed predecessor left here is ended first.

        Raises `StartFailed`.
        """
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start without waiting."""
        self.stop()
        self.store.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._write_config()
        self._log_before = self.log_file.stat().st_size if self.log_file.exists() else 0
        self._process = subprocess.Popen(
            [str(BINARY), "-c", str(self.config_file)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the supervisor: it ends the services first
        )

    def wait(self) -> None:
        """Wait until JetStream answers. Raises `StartFailed`."""
        deadline = time.monotonic() + self._patience
        while not self._answers():
            gone = self._process is None or self._process.poll() is not None
            if time.monotonic() > deadline or (gone and not self._can_move()):
                self.stop()
                raise StartFailed("nats-server", self.log_file)
            if gone:
                self.port = free_port()
                self.launch()
            time.sleep(0.02)

    def stop(self) -> None:
        """Ask the server to end, and wait while it writes down what is where; if that takes too long, force it."""
        self._end(force=False)

    def kill(self) -> None:
        """End the server as a power cut would: without any warning."""
        self._end(force=True)

    def _end(self, *, force: bool) -> None:
        if pid := self.pid:
            server = psutil.Process(pid)
            if force:
                server.kill()
            else:
                server.terminate()
            if not have_ended([server], self._patience):
                server.kill()
                have_ended([server], 10)
        if self._process:
            self._process.wait(10)
            self._process = None

    def _write_config(self) -> None:
        config: dict[str, Any] = {
            "server_name": self.name,
            "host": HOST,
            "port": self.port,
            "pid_file": str(self._pid_file),
            "log_file": str(self.log_file),
            "logfile_size_limit": 10_000_000,
            "logfile_max_num": 3,
            "authorization": {"token": self._token},
            "jetstream": {"store_dir": str(self.store)},
        }
        if self._sync == "always":
            config["jetstream"]["sync_interval"] = "always"
        if self._cluster:
            config["cluster"] = self._cluster
        self.config_file.touch(mode=0o600)
        self.config_file.write_text(json.dumps(config, indent=2))

    def _can_move(self) -> bool:
        """Has the server ended because somebody else took its port, and may it have another one?"""
        log = self.log_file.read_bytes()[self._log_before :] if self.log_file.exists() else b""
        return self._port_is_ours and self._cluster is None and b"address already in use" in log

    def _answers(self) -> bool:
        """Does JetStream answer a client? Without a leader a cluster does not."""
        hello = json.dumps({"verbose": False, "auth_token": self._token, "protocol": 1})
        ask = f"CONNECT {hello}\r\nSUB ready 1\r\nPUB $JS.API.INFO ready 0\r\n\r\nPING\r\n"
        heard = b""
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as connection:
                connection.sendall(ask.encode())
                while b"MSG ready" not in heard or not heard.endswith(b"\r\n"):
                    if not (more := connection.recv(65536)):
                        return False
                    heard += more
        except OSError:
            return False
        return b'"error"' not in heard


class Cluster:
    """Several servers that keep every stream together."""

    def __init__(self, servers: Sequence[NatsServer]) -> None:
        self.servers = tuple(servers)
        ports = [free_port() for _ in servers]
        for number, (server, port) in enumerate(zip(servers, ports, strict=True), 1):
            server.join(f"wordyard-{number}", port, ports)

    @property
    def url(self) -> str:
        """The addresses of all members, separated by commas."""
        return ",".join(server.url for server in self.servers)

    def start(self) -> None:
        """Start all and wait until they have a leader. Raises `StartFailed`."""
        for server in self.servers:
            server.launch()
        for server in self.servers:
            server.wait()

    def stop(self) -> None:
        """Stop all."""
        for server in self.servers:
            server.stop()


def cluster(members: int, store: Path, *, sync: Sync = "always") -> Cluster:
    """A cluster of this many servers, each with a folder of its own in `store`; not yet started."""
    return Cluster([NatsServer(store / str(number), sync=sync) for number in range(1, members + 1)])

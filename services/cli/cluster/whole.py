"""The cluster: what is started in which order, and where everything is."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from libs.runtime import ids
from libs.runtime.embedded import Postgres, StartFailed
from libs.runtime.embedded.nats_server import BINARY as NATS
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.embedded.postgres_server import LONGEST_SOCKET, SOCKET
from libs.runtime.parent import PARENT
from libs.runtime.settings import PREFIX, Settings
from services.cli.cluster import composed
from services.cli.cluster.parts import Database, Part, Process, all_of
from services.cli.folder import Folder

CADDY = Path(sys.executable).parent / "caddy"
USERS = ("operator", "game", "api", "solver", "worker", "scheduler")
SERVERS = ("nats-1", "nats-2", "nats-3")
SERVICES = ("game", "scheduler", "solver", "worker", "api")
COPIES = (1, 2)


class Cluster:
    """All of it, below one folder: the given one, which is kept, or a new one, which goes with the cluster.

    `port` is the proxy's (0: any free one), with `tls` or without. Not `durable`, PostgreSQL does not care about power
    cuts. `settings` are variables for all services beyond those of compose.yaml, such as WORDYARD_RATE_LIMIT.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        port: int = 0,
        tls: bool = False,
        durable: bool = True,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._kept = path is not None
        self.folder = Folder(path or Path(tempfile.mkdtemp(prefix="wy-")))
        if len(os.fsencode(self.folder.path / "postgres" / SOCKET)) > LONGEST_SOCKET:
            raise ValueError(f"{self.folder.path}: too long for the sockets of PostgreSQL")
        self.passwords = {user: ids.token() for user in USERS}
        port = port or free_port()
        self.address = f"https://localhost:{port}" if tls else f"http://{HOST}:{port}"
        self._tls = tls
        self._settings = dict(settings or {})
        self._port = port
        self._nats_ports = {name: free_port() for name in SERVERS}
        self._ports = {f"{service}-{copy}": free_port() for service in SERVICES for copy in COPIES}
        self._database = Database(Postgres(self.folder.path / "postgres", durable=durable))
        self._starter = ThreadPoolExecutor(1, "starter")
        self._guard: subprocess.Popen[bytes] | None = None
        self.processes: dict[str, Part] = {}

    @property
    def nats_urls(self) -> dict[str, str]:
        """Where clients of each NATS server connect, by its name."""
        return {name: f"nats://{HOST}:{port}" for name, port in self._nats_ports.items()}

    @property
    def postgres_dsn(self) -> str:
        """Where clients of PostgreSQL connect, while it runs."""
        return self._database.dsn

    @property
    def certificate(self) -> Path:
        """The root by which clients believe the proxy, once it has started with TLS."""
        return self.folder.path / "proxy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    def settings(self, user: str = "operator") -> Settings:
        """What leads to the servers, as this user of NATS."""
        return Settings(
            nats_url=",".join(self.nats_urls.values()),
            nats_user=user,
            nats_password=self.passwords[user],
            postgres_url=self.postgres_dsn,
            log_replicas=len(SERVERS),
            create_streams=False,
        )

    def kill(self, name: str) -> None:
        """End this one as a power cut would: without any warning."""
        self.processes[name].kill()

    def pause(self, name: str) -> None:
        """Make this one stand still, its connections open."""
        self.processes[name].pause()

    def resume(self, name: str) -> None:
        """Let this one go on."""
        self.processes[name].resume()

    def stop(self, name: str) -> None:
        """Ask this one to end and wait for it."""
        self.processes[name].stop()

    def start(self, name: str) -> None:
        """Start this one again where it was, and wait until it is ready. Raises `StartFailed`."""
        self.processes[name].start()

    def restart(self, name: str) -> None:
        """Ask this one to end, wait for it, start it again and wait until it is ready. Raises `StartFailed`."""
        self.stop(name)
        self.start(name)

    def __enter__(self) -> "Cluster":
        """Start everything and wait until it is ready. Raises `StartFailed`, or `InUse` for the folder."""
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End everything: in order if the folder is kept, else at once."""
        self.close(orderly=self._kept)

    def open(self, say: Callable[[str], None] = lambda _: None) -> None:
        """Start everything and wait until it is ready; `say` is told what is done now.

        Raises `StartFailed`, or `InUse` for the folder.
        """
        self.folder.hold()
        self.folder.sign(self.address)
        try:
            self._start(say)
        except BaseException:
            self.close(orderly=False)
            raise

    def _start(self, say: Callable[[str], None]) -> None:
        self._guard = self._starter.submit(self._watch).result()
        say("Starting NATS and PostgreSQL")
        servers = self._servers()
        self.processes = {part.name: part for part in [*servers, self._database]}
        all_of(list(self.processes.values()), Part.start)
        say("Preparing tables and streams")
        environments = composed.environments(self._values())
        self._prepare(environments["prepare"])
        say("Starting the services")
        services = [self._service(name, environments) for name in self._ports]
        self.processes |= {part.name: part for part in services}
        all_of(list(services), Part.start)
        say("Starting the proxy")
        proxy = self._proxy()
        self.processes[proxy.name] = proxy
        proxy.start()

    def close(self, *, orderly: bool = True) -> None:
        """End everything; in order, the api first and the servers last, or at once. A new folder is removed."""
        names = ("api", "proxy", "game", "scheduler", "solver", "worker", "nats", "postgres")
        for step in (names[:1], names[1:6], names[6:]) if orderly else (names,):
            parts = [part for name, part in self.processes.items() if name.partition("-")[0] in step]
            if parts:
                all_of(parts, Part.stop if orderly else Part.kill)
        if self._guard is not None:
            self._guard.kill()  # nothing is left to be guarded
            self._guard.communicate()
        self._starter.shutdown()
        self.folder.release()
        if not self._kept:
            shutil.rmtree(self.folder.path, ignore_errors=True)

    def _watch(self) -> subprocess.Popen[bytes]:
        """Start the guard, which cleans up should this process be killed."""
        command = [sys.executable, "-m", "services.cli.guard", str(self.folder.path), str(os.getpid())]
        return subprocess.Popen(
            [*command, *([] if self._kept else ["--remove"])], stdin=subprocess.PIPE, start_new_session=True
        )

    def _servers(self) -> list[Process]:
        routes = [free_port() for _ in SERVERS]
        made = []
        for member, (name, port) in enumerate(self._nats_ports.items()):
            home, monitoring = self.folder.path / name, free_port()
            home.mkdir(exist_ok=True)
            shutil.copy(composed.DEPLOY / "nats-users.conf", home)
            config = home / "nats.conf"
            config.write_text(composed.nats_config(home, HOST, port, monitoring, member, routes))
            variables = {"SERVER_NAME": name} | {
                f"{user.upper()}_PASSWORD": password for user, password in self.passwords.items()
            }
            command = [str(NATS), "-c", str(config)]
            made.append(self._process(name, command, variables, f"http://{HOST}:{monitoring}", "/healthz"))
        return made

    def _service(self, name: str, environments: Mapping[str, dict[str, str]]) -> Process:
        kind = name.partition("-")[0]
        port = str(self._ports[name])
        variables = (
            environments[f"service {kind}"] | self._places() | {f"{PREFIX}OPS_PORT": port, f"{PREFIX}PORT": port}
        )
        command = [sys.executable, "-m", "services.cli", "service", kind]
        return self._process(name, command, variables, f"http://{HOST}:{port}", "/health/ready")

    def _proxy(self) -> Process:
        upstreams = " ".join(f"{HOST}:{port}" for name, port in self._ports.items() if name.startswith("api-"))
        metrics = free_port()
        variables = {
            "SITE_ADDRESS": self.address,
            "API_ADDRESSES": upstreams,
            "BIND": HOST,
            "HTTP_PORT": str(free_port()),
            "HTTPS_PORT": str(self._port if self._tls else free_port()),
            "METRICS_PORT": str(metrics),
            "XDG_DATA_HOME": str(self.folder.path / "proxy"),
            "XDG_CONFIG_HOME": str(self.folder.path / "proxy"),
        }
        command = [str(CADDY), "run", "--adapter", "caddyfile", "--config", str(composed.DEPLOY / "Caddyfile")]
        return self._process("proxy", command, variables, self.address, "/")

    def _process(self, name: str, command: list[str], variables: Mapping[str, str], url: str, ready: str) -> Process:
        log_file = self.folder.logs / f"{name}.log"
        return Process(name, command, {**_own(), **variables}, log_file, url, ready, self._starter)

    def _prepare(self, variables: Mapping[str, str]) -> None:
        log_file = self.folder.logs / "prepare.log"
        with log_file.open("ab") as log:
            command = [sys.executable, "-m", "services.cli", "prepare"]
            environment = {**_own(), **variables, **self._places()}
            if subprocess.run(command, env=environment, stdout=log, stderr=log).returncode:
                raise StartFailed("wordyard prepare", log_file)

    def _values(self) -> dict[str, str]:
        """What compose.yaml leaves to those who run it."""
        return {f"{user.upper()}_PASSWORD": password for user, password in self.passwords.items()} | {
            "POSTGRES_PASSWORD": "",
            "PUBLIC_URL": self.address,
            "SECRET_KEY": self.folder.secret_key(),
            "DAILY_KEY": self.folder.daily_key(),
            "PUSH_KEY": self.folder.push_key(),
        }

    def _places(self) -> dict[str, str]:
        """Where things are here, instead of where compose.yaml has them."""
        places = {
            "NATS_URL": ",".join(self.nats_urls.values()),
            "POSTGRES_URL": self.postgres_dsn,
            "HOST": HOST,
            "OPS_HOST": HOST,
            "SECURE_COOKIES": str(self._tls).lower(),
            "TRUSTED_PROXIES": HOST,
            "SOLVER_FOLDER": "",
        }
        return {f"{PREFIX}{name}": value for name, value in places.items()}


def _own() -> dict[str, str]:
    """The variables of this process, less those of another Wordyard, and who ends the process should we be killed."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return own | {PARENT: str(os.getpid())}

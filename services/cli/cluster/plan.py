"""Where everything of a cluster is, and by which command and variables each process is started."""

import os
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libs.runtime import ids
from libs.runtime.embedded.nats_server import BINARY as NATS
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.parent import PARENT
from libs.runtime.settings import PREFIX
from services.cli.cluster import composed
from services.cli.cluster.parts import Process
from services.cli.folder import Folder

CADDY = Path(sys.executable).parent / "caddy"
USERS = ("operator", "game", "api", "solver", "worker", "scheduler")
SERVERS = ("nats-1", "nats-2", "nats-3")
SERVICES = ("game", "scheduler", "solver", "worker", "api")
COPIES = (1, 2)


class Plan:
    """Ports and passwords, drawn once, and the processes that know them; `more` are further variables of services."""

    def __init__(self, folder: Folder, port: int, *, tls: bool, more: Mapping[str, str]) -> None:
        self.passwords = {
            user: "p" + ids.token() for user in USERS
        }  # NATS takes what begins with a figure for a number
        self.port = port or free_port()
        self.address = f"https://localhost:{self.port}" if tls else f"http://{HOST}:{self.port}"
        self._folder = folder
        self._tls = tls
        self._certificates = folder.path / "certificates" if tls else None
        self._more = dict(more)
        self._starter = ThreadPoolExecutor(1, "starter")  # whose thread outlives those who ask for a start
        self._nats_ports = {name: free_port() for name in SERVERS}
        self._ports = {f"{service}-{copy}": free_port() for service in SERVICES for copy in COPIES}

    @property
    def nats_urls(self) -> dict[str, str]:
        """Where clients of each NATS server connect, by its name."""
        scheme = "tls" if self._tls else "nats"
        return {name: f"{scheme}://{HOST}:{port}" for name, port in self._nats_ports.items()}

    @property
    def nats_ca(self) -> str:
        """The file of the authority by which clients believe NATS; empty without TLS."""
        return str(self._certificates / "ca.crt") if self._certificates else ""

    @property
    def certificate(self) -> Path:
        """The root by which clients believe the proxy, once it has started with TLS."""
        return self._folder.path / "proxy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"

    def servers(self) -> list[Process]:
        """The three NATS servers, with the files of deploy/. Raises `StartFailed` if certificates cannot be made."""
        if self._certificates:
            composed.certify(self._certificates, self._folder.logs / "certificates.log")
        routes = [free_port() for _ in SERVERS]
        variables = {f"{user.upper()}_PASSWORD": password for user, password in self.passwords.items()}
        made = []
        for member, (name, port) in enumerate(self._nats_ports.items()):
            home, monitoring = self._folder.path / name, free_port()
            home.mkdir(exist_ok=True)
            shutil.copy(composed.DEPLOY / "nats-users.conf", home)
            (home / "nats-encryption.conf").write_text(composed.nats_encryption(self._certificates))
            config = home / "nats.conf"
            config.write_text(composed.nats_config(home, HOST, port, monitoring, member, routes))
            command = [str(NATS), "-c", str(config)]
            own = variables | {"SERVER_NAME": name}
            made.append(self._process(name, command, own, f"http://{HOST}:{monitoring}", "/healthz"))
        return made

    def prepare(self, postgres: str) -> dict[str, str]:
        """The variables of `wordyard prepare`, with PostgreSQL at this address."""
        return {**_own(), **self._composed()["prepare"], **self._places(postgres)}

    def services(self, postgres: str) -> list[Process]:
        """Two of each service, with PostgreSQL at this address."""
        environments, places = self._composed(), self._places(postgres)
        made = []
        for name, port in self._ports.items():
            kind = name.partition("-")[0]
            ports = {f"{PREFIX}OPS_PORT": str(port), f"{PREFIX}PORT": str(port)}
            variables = environments[f"service {kind}"] | places | ports | self._more
            command = [sys.executable, "-m", "services.cli", "service", kind]
            made.append(self._process(name, command, variables, f"http://{HOST}:{port}", "/health/ready"))
        return made

    def proxy(self) -> Process:
        """Caddy, in front of both copies of the api."""
        home = str(self._folder.path / "proxy")
        variables = {
            "SITE_ADDRESS": self.address,
            "API_ADDRESSES": " ".join(
                f"{HOST}:{port}" for name, port in self._ports.items() if name.startswith("api-")
            ),
            "BIND": HOST,
            "HTTP_PORT": str(free_port()),
            "HTTPS_PORT": str(self.port if self._tls else free_port()),
            "METRICS_PORT": str(free_port()),
            "XDG_DATA_HOME": home,
            "XDG_CONFIG_HOME": home,
        }
        command = [str(CADDY), "run", "--adapter", "caddyfile", "--config", str(composed.DEPLOY / "Caddyfile")]
        return self._process("proxy", command, variables, self.address, "/")

    def _process(self, name: str, command: list[str], variables: Mapping[str, str], url: str, ready: str) -> Process:
        log_file = self._folder.logs / f"{name}.log"
        return Process(name, command, {**_own(), **variables}, log_file, url, ready, self._starter)

    def _composed(self) -> dict[str, dict[str, str]]:
        """The variables of compose.yaml, by command, with the values that it leaves to those who run it."""
        secrets = {f"{user.upper()}_PASSWORD": password for user, password in self.passwords.items()} | {
            "POSTGRES_PASSWORD": "",
            "PUBLIC_URL": self.address,
            "SECRET_KEY": self._folder.secret_key(),
            "DAILY_KEY": self._folder.daily_key(),
            "PUSH_KEY": self._folder.push_key(),
        }
        return composed.environments(secrets)

    def _places(self, postgres: str) -> dict[str, str]:
        """Where things are here, instead of where compose.yaml has them."""
        places = {
            "NATS_URL": ",".join(self.nats_urls.values()),
            "NATS_CA": self.nats_ca,
            "POSTGRES_URL": postgres,
            "HOST": HOST,
            "OPS_HOST": HOST,
            "SECURE_COOKIES": str(self._tls).lower(),
            "TRUSTED_PROXIES": HOST,
        }
        return {f"{PREFIX}{name}": value for name, value in places.items()}


def _own() -> dict[str, str]:
    """The variables of this process, less those of another Wordyard, and who ends the process should we be killed."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return own | {PARENT: str(os.getpid())}

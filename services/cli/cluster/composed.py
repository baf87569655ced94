"""What the files of deploy/ say, filled in for one machine."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import yaml

from libs.runtime.embedded import StartFailed

DEPLOY = Path(__file__).parents[3] / "deploy"
"""The folder in a clone of the repository; an installed package has none."""

_VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<sign>[-?])(?P<rest>[^}]*))?\}")


def environments(values: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """By command, such as "service api": the variables that compose.yaml gives it, with these values filled in.

    Raises `KeyError` for a value that is needed and not given.
    """

    def fill(found: re.Match[str]) -> str:
        name = found["name"]
        return values.get(name, found["rest"]) if found["sign"] == "-" else values[name]

    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return {
        " ".join(service["command"]): {
            name: _VARIABLE.sub(fill, str(value)) for name, value in service["environment"].items()
        }
        for service in services.values()
        if any(name.startswith("WORDYARD_") for name in service.get("environment", ()))
    }


def nats_config(store: Path, host: str, clients: int, monitoring: int, member: int, routes: list[int]) -> str:
    """nats.conf with the ports and the folder of one server; `routes` are the ports by which the three find each other.

    Raises `ValueError` if the file no longer says what is replaced here.
    """
    changes = {
        '"0.0.0.0:4222"': f'"{host}:{clients}"',
        '"127.0.0.1:8222"': f'"{host}:{monitoring}"',
        '"/var/lib/nats"': f'"{store}"',
        '"0.0.0.0:6222"': f'"{host}:{routes[member]}"',
    } | {f'"nats://nats-{number}:6222"': f'"nats://{host}:{port}"' for number, port in enumerate(routes, 1)}
    return _changed("nats.conf", changes)


def nats_encryption(certificates: Path | None) -> str:
    """nats-tls.conf with what `certify` made in this folder; or nats-encryption.conf, which asks for nothing.

    Raises `ValueError` if the file no longer says what is replaced here.
    """
    if certificates is None:
        return (DEPLOY / "nats-encryption.conf").read_text()
    files = ("tls.crt", "tls.key", "ca.crt")
    return _changed("nats-tls.conf", {f'"/etc/nats-tls/{file}"': f'"{certificates}/nats/{file}"' for file in files})


def certify(folder: Path, log_file: Path) -> None:
    """Let make-certificates make an authority in this folder, unless it has one, and what it vouches for.

    Raises `StartFailed`.
    """
    with log_file.open("ab") as log:
        if subprocess.run([DEPLOY / "make-certificates", folder], stdout=log, stderr=log).returncode:
            raise StartFailed("deploy/make-certificates", log_file)


def _changed(file: str, changes: Mapping[str, str]) -> str:
    """The text of a file with each of these, which must be there once, replaced. Raises `ValueError`."""
    text = (DEPLOY / file).read_text()
    for old, new in changes.items():
        if text.count(old) != 1:
            raise ValueError(f"{file}: {old} is not there once")
        text = text.replace(old, new)
    return text

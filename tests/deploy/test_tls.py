"""deploy/local-cluster with encryption wherever there is a network: it plays, and strangers are refused."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from msgspec.structs import replace

from libs.runtime import bus
from libs.runtime.embedded import StartFailed
from libs.runtime.embedded.postgres_server import DATABASE, SUPERUSER
from services.cli.cluster import Cluster, composed
from services.cli.cluster.parts import Process
from tests import servers
from tests.deploy.guests import Guest, guests
from tests.security.authority import Pair
from tests.security.encrypted_postgres import in_front_of
from tests.services.api.player import duel
from tests.until import until

NATS = ("nats-1", "nats-2", "nats-3")


def made(folder: Path, server: str) -> Pair:
    """What make-certificates has made in this folder for a server."""
    return Pair(str(folder / server / "tls.crt"), str(folder / server / "tls.key"))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Certificates of ours for PostgreSQL, and those of somebody else."""
    with servers.folder() as path:
        for name in ("ours", "strange"):
            composed.certify(path / name, path / "log")
        yield path


@pytest.fixture(scope="module")
def socket(folder: Path) -> str:
    """Where PostgreSQL itself will listen."""
    return f"postgresql://{SUPERUSER}@/{DATABASE}?host={quote(str(folder / 'c' / 'postgres'), safe='')}"


def verified(url: str, folder: Path) -> dict[str, str]:
    """The variable that leads to PostgreSQL at this address, and lets it prove who it is."""
    authority = quote(str(folder / "ours" / "ca.crt"), safe="")
    return {"WORDYARD_POSTGRES_URL": f"{url}?sslmode=verify-full&sslrootcert={authority}"}


@pytest.fixture(scope="module")
def cluster(folder: Path, socket: str) -> Iterator[Cluster]:
    with in_front_of(socket, made(folder / "ours", "postgres")) as url:
        settings = {"WORDYARD_RATE_LIMIT": "false", **verified(url, folder)}
        with Cluster(folder / "c", tls=True, durable=False, settings=settings) as running:
            running.prepare(more=verified(url, folder))
            yield running


@pytest.fixture
async def pair(cluster: Cluster) -> AsyncIterator[list[Guest]]:
    people = await guests(cluster)
    yield people
    for guest in people:
        await guest.http.aclose()


async def play(pair: list[Guest]) -> None:
    """Each of them guesses once."""
    game = await duel(*pair)
    for guest in pair:
        await guest.post(f"/games/{game}/guesses", {"word": "crane"}, f"{game} {guest.id}")
    assert (await pair[0].get(f"/games/{game}"))["state"] == "playing"


def seen(cluster: Cluster, name: str, what: str) -> Any:
    """What a server of NATS shows of itself to this machine."""
    server = cluster.processes[name]
    assert isinstance(server, Process)
    return httpx.get(f"{server.url}/{what}", trust_env=False).json()


def routes(cluster: Cluster, name: str) -> set[str]:
    """The servers that this one is connected to."""
    return {route["remote_name"] for route in seen(cluster, name, "routez")["routes"]}


@pytest.mark.timeout(300)
async def test_a_guess_is_played_with_every_connection_to_nats_and_postgresql_encrypted(
    cluster: Cluster, pair: list[Guest]
) -> None:
    await play(pair)
    clients = 0
    for name in NATS:
        about = seen(cluster, name, "varz")
        assert about["tls_required"]
        assert about["cluster"]["tls_required"]
        assert about["cluster"]["tls_verify"]
        assert routes(cluster, name) == {*NATS} - {name}
        connections = seen(cluster, name, "connz")["connections"]
        assert {connection["tls_version"] for connection in connections} <= {"1.2", "1.3"}
        clients += len(connections)
    assert clients >= 10


@pytest.mark.timeout(200)
async def test_a_nats_server_with_a_certificate_of_a_stranger_is_refused_by_all(
    cluster: Cluster, pair: list[Guest], folder: Path
) -> None:
    server, file = cluster.processes["nats-2"], cluster.folder.path / "nats-2" / "nats-encryption.conf"
    ours = file.read_text()
    strange = ours
    for right, wrong in zip(
        made(cluster.folder.path / "certificates", "nats"), made(folder / "strange", "nats"), strict=True
    ):
        strange = strange.replace(right, wrong)
    refused = cluster.processes["nats-1"].log_file.read_text().count("unknown authority")
    alone = replace(cluster.settings(), nats_url=cluster.nats_urls["nats-2"])
    cluster.stop("nats-2")
    try:
        file.write_text(strange)
        server.launch()
        with pytest.raises(bus.Unreachable, match="certificate verify failed"):
            await bus.connect(alone, "test", patience=3)
        await until(lambda: cluster.processes["nats-1"].log_file.read_text().count("unknown authority") > refused, 20)
        assert routes(cluster, "nats-1") == {"nats-3"}
        assert routes(cluster, "nats-2") == set()
        await play(pair)
    finally:
        cluster.stop("nats-2")
        file.write_text(ours)
        cluster.start("nats-2")
    await until(lambda: routes(cluster, "nats-1") == {"nats-2", "nats-3"}, 20)
    await (await bus.connect(alone, "test", patience=10)).close()


def test_a_database_with_a_certificate_of_a_stranger_is_refused(cluster: Cluster, folder: Path, socket: str) -> None:
    said = cluster.folder.logs / "prepare.log"
    before = len(said.read_text())
    with in_front_of(socket, made(folder / "strange", "postgres")) as url, pytest.raises(StartFailed):
        cluster.prepare(more=verified(url, folder))
    assert "certificate verify failed" in said.read_text()[before:]

"""compose.yaml is one that Docker Compose takes, and gives every service what it needs and no more."""

import json
import ssl
from pathlib import Path
from typing import Any

import msgspec
import pytest

from libs.runtime.embedded import StartFailed
from libs.runtime.settings import PREFIX, Settings, read
from services.cli.cluster import composed
from tests.deploy.checkers import DEPLOY, SECRETS, run

OURS = ("api", "game", "scheduler", "solver", "worker")
KNOWN = {PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)}
KEYS = {"SECRET_KEY": {"api"}, "DAILY_KEY": {"game"}, "PUSH_KEY": {"api", "worker"}}
"""Who may know which key."""


def resolved(folder: Path, *files: str) -> dict[str, Any]:
    """What Docker Compose makes of these files with the secrets."""
    values = folder / "values.env"
    values.write_text("".join(f"{name}={value}\n" for name, value in SECRETS.items()))
    named = [part for file in files for part in ("--file", DEPLOY / file)]
    done = run("docker-compose", "--env-file", values, *named, "config", "--format", "json")
    assert done.returncode == 0, done.stderr
    project: dict[str, Any] = json.loads(done.stdout)
    return project


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    services: dict[str, Any] = resolved(tmp_path_factory.mktemp("compose"), "compose.yaml")["services"]
    return services


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The whole project with encryption between the parts."""
    return resolved(tmp_path_factory.mktemp("compose"), "compose.yaml", "compose.tls.yaml")


def ours(services: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The copies of one of our services."""
    return [service for service in services.values() if service["command"] == ["service", kind]]


def test_there_are_as_many_of_each_as_promised(services: dict[str, Any]) -> None:
    assert {kind: len(ours(services, kind)) for kind in OURS} == {
        "api": 2, "game": 2, "scheduler": 1, "solver": 2, "worker": 1,
    }  # fmt: skip
    assert {"nats-1", "nats-2", "nats-3", "postgres", "prepare", "proxy", "prometheus", "grafana"} <= services.keys()


@pytest.mark.parametrize("secret", SECRETS)
def test_it_says_which_secret_is_missing(secret: str, tmp_path: Path) -> None:
    values = tmp_path / "values.env"
    values.write_text("".join(f"{name}={value}\n" for name, value in SECRETS.items() if name != secret))
    done = run("docker-compose", "--env-file", values, "--file", DEPLOY / "compose.yaml", "config", "--quiet")
    assert done.returncode != 0
    assert f"required variable {secret} is missing" in done.stderr


def test_the_example_names_every_value(tmp_path: Path) -> None:
    lines = (DEPLOY / "compose.env.example").read_text().splitlines()
    named = {line.partition("=")[0] for line in lines if line and not line.startswith("#")}
    asked = run("docker-compose", "--file", DEPLOY / "compose.yaml", "config", "--variables").stdout
    assert named == {line.split()[0] for line in asked.splitlines()[1:]}


@pytest.mark.parametrize("kind", OURS)
def test_services_are_told_settings_that_exist_and_fit(services: dict[str, Any], kind: str) -> None:
    for service in ours(services, kind):
        told: dict[str, str] = service["environment"]
        assert told.keys() <= KNOWN
        settings = read(told)
        assert (settings.nats_user, settings.log_replicas, settings.create_streams) == (kind, 3, False)
        assert settings.nats_password == SECRETS[f"{kind.upper()}_PASSWORD"]
        assert {key for key in KEYS if PREFIX + key in told} == {key for key, users in KEYS.items() if kind in users}


def test_the_api_stands_behind_a_proxy_that_it_believes(services: dict[str, Any]) -> None:
    address = services["proxy"]["networks"]["front"]["ipv4_address"]
    for api in ours(services, "api"):
        settings = read(api["environment"])
        assert settings.trusted_proxies == (address,)
        assert settings.secure_cookies
        assert settings.drain_seconds == 4
        assert settings.address == SECRETS["PUBLIC_URL"]
        assert api["networks"].keys() & services["proxy"]["networks"].keys() == {"front"}


def test_a_service_has_the_time_to_drain_and_to_end(services: dict[str, Any]) -> None:
    for kind in OURS:
        for service in ours(services, kind):
            assert service["stop_grace_period"] == "30s"
            assert read(service["environment"]).drain_seconds + 10 < 30


def test_every_container_is_read_only_and_without_rights_it_does_not_need(encrypted: dict[str, Any]) -> None:
    for name, service in encrypted["services"].items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service.get("user", "") != "0:0" or service["network_mode"] == "none", name
        assert not service.get("privileged"), name


def test_only_the_proxy_listens_to_the_world(services: dict[str, Any]) -> None:
    open_to_all = {
        name for name, service in services.items()
        for port in service.get("ports", ()) if port.get("host_ip") != "127.0.0.1"
    }  # fmt: skip
    assert open_to_all == {"proxy"}


def test_the_local_cluster_reads_the_file_as_docker_compose_does(services: dict[str, Any]) -> None:
    for command, told in composed.environments(SECRETS).items():
        [as_compose_has_it] = {
            json.dumps(service["environment"], sort_keys=True)
            for service in services.values()
            if " ".join(service["command"] or ()) == command
        }
        assert json.loads(as_compose_has_it) == told
    assert set(composed.environments(SECRETS)) == {"prepare", *(f"service {kind}" for kind in OURS)}


def mounted(service: dict[str, Any]) -> dict[str, str]:
    """What a service sees of volumes and configs, by the path at which it does."""
    return {one["target"]: one["source"] for one in [*service.get("volumes", ()), *service.get("configs", ())]}


def test_encryption_changes_nothing_of_a_service_but_how_it_reaches_its_servers(
    services: dict[str, Any], encrypted: dict[str, Any]
) -> None:
    ours = {name for name, service in services.items() if PREFIX + "NATS_URL" in service.get("environment", ())}
    assert len(ours) == 1 + 8  # prepare and the copies
    for name in ours:
        plain, told = services[name]["environment"], encrypted["services"][name]["environment"]
        settings = read(told)
        assert mounted(encrypted["services"][name])[settings.nats_ca] == "authority"
        assert told == plain | {
            "WORDYARD_NATS_URL": "tls://nats-1:4222,tls://nats-2:4222,tls://nats-3:4222",
            "WORDYARD_NATS_CA": settings.nats_ca,
            "WORDYARD_POSTGRES_URL": (
                f"{plain['WORDYARD_POSTGRES_URL']}?sslmode=verify-full&sslrootcert={settings.nats_ca}"
            ),
        }


def test_the_servers_encrypt_with_what_make_certificates_makes(encrypted: dict[str, Any], tmp_path: Path) -> None:
    composed.certify(tmp_path / "made", tmp_path / "log")
    made = {str(file.relative_to(tmp_path / "made")) for file in (tmp_path / "made").rglob("*") if file.is_file()}
    assert made == {"ca.crt", "ca.key"} | {
        f"{server}/{file}" for server in ("nats", "postgres") for file in ("tls.crt", "tls.key", "ca.crt")
    }
    services, configs = encrypted["services"], encrypted["configs"]
    assert configs["authority"]["file"] == str(DEPLOY / "certificates" / "ca.crt")
    assert configs["nats-encryption"]["file"] == str(DEPLOY / "nats-tls.conf")
    for name in ("nats-1", "nats-2", "nats-3"):
        assert mounted(services[name])["/etc/nats/nats-encryption.conf"] == "nats-encryption"
        assert mounted(services[name])["/etc/nats-tls"] == "nats-tls"
    assert mounted(services["postgres"])["/etc/postgres-tls"] == "postgres-tls"
    assert services["postgres"]["command"] == [
        "postgres", "-cssl=on",
        "-cssl_cert_file=/etc/postgres-tls/tls.crt", "-cssl_key_file=/etc/postgres-tls/tls.key",
    ]  # fmt: skip
    assert mounted(services["keys"]) == {
        "/certificates": str(DEPLOY / "certificates"), "/nats": "nats-tls", "/postgres": "postgres-tls",
    }  # fmt: skip


def test_certificates_are_renewed_under_the_same_authority_or_left_as_they_are(tmp_path: Path) -> None:
    def read_all() -> list[bytes]:
        return [(tmp_path / "made" / file).read_bytes() for file in ("ca.crt", "nats/tls.crt", "nats/tls.key")]

    composed.certify(tmp_path / "made", tmp_path / "log")
    authority, *first = read_all()
    composed.certify(tmp_path / "made", tmp_path / "log")
    kept, *second = read_all()
    assert kept == authority
    assert not set(first) & set(second)
    (tmp_path / "made" / "ca.key").unlink()
    with pytest.raises(StartFailed):
        composed.certify(tmp_path / "made", tmp_path / "log")
    assert read_all() == [authority, *second]
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(tmp_path / "made/nats/tls.crt", tmp_path / "made/nats/tls.key")

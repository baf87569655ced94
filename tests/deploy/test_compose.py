"""compose.yaml is one that Docker Compose takes, and gives every service what it needs and no more."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from libs.runtime.settings import PREFIX, Settings, read
from services.cli.cluster import composed
from tests.deploy.checkers import DEPLOY, SECRETS, run

OURS = ("api", "game", "scheduler", "solver", "worker")
KNOWN = {PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)}
KEYS = {"SECRET_KEY": {"api"}, "DAILY_KEY": {"game"}, "PUSH_KEY": {"api", "worker"}}
"""Who may know which key."""


def resolved(folder: Path, **more: str) -> dict[str, Any]:
    """What Docker Compose makes of the file, with these values beside the secrets."""
    values = folder / "values.env"
    values.write_text("".join(f"{name}={value}\n" for name, value in (SECRETS | more).items()))
    done = run("docker-compose", "--env-file", values, "--file", DEPLOY / "compose.yaml", "config", "--format", "json")
    assert done.returncode == 0, done.stderr
    services: dict[str, Any] = json.loads(done.stdout)["services"]
    return services


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return resolved(tmp_path_factory.mktemp("compose"))


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


def test_every_container_is_read_only_and_without_rights_it_does_not_need(services: dict[str, Any]) -> None:
    for name, service in services.items():
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

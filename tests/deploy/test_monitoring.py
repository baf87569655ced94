"""Alerts and dashboard ask for what there is, in words that Prometheus understands."""

import json
from collections.abc import Iterator
from typing import Any

import prometheus_client
import pytest
import yaml

import libs.runtime.metrics  # noqa: F401 - registers what is counted
from tests.deploy.checkers import DEPLOY, SECRETS, package, run

ELSEWHERE = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"}
PROXY = {"caddy_http_request_duration_seconds_count"}
DASHBOARD = json.loads((DEPLOY / "grafana" / "wordyard.json").read_text())
ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())["groups"][0]["rules"]


def counted() -> set[str]:
    """Every series that a service of ours has."""
    found = set()
    for metric in prometheus_client.REGISTRY.collect():
        found |= {metric.name, f"{metric.name}_total"} if metric.type == "counter" else {metric.name}
        if metric.type == "histogram":
            found |= {f"{metric.name}_{part}" for part in ("bucket", "count", "sum")}
    return found


def selectors(expression: Any) -> Iterator[str]:
    """The names of the series in a parsed expression."""
    promql = package("promql_parser")
    match expression:
        case promql.VectorSelector():
            yield expression.name
        case promql.MatrixSelector():
            yield from selectors(expression.vector_selector)
        case promql.BinaryExpr():
            yield from selectors(expression.lhs)
            yield from selectors(expression.rhs)
        case promql.Call():
            for argument in expression.args:
                yield from selectors(argument)
        case promql.NumberLiteral() | promql.StringLiteral():
            pass
        case _:
            yield from selectors(expression.expr)


def asked(text: str) -> set[str]:
    """The series that an expression asks for; Grafana's own variables are filled in."""
    return set(selectors(package("promql_parser").parse(text.replace("$__rate_interval", "5m"))))


EXPRESSIONS = [rule["expr"] for rule in ALERTS] + [
    target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_series_is_one_that_is_counted(expression: str) -> None:
    assert asked(expression)
    assert asked(expression) <= counted() | ELSEWHERE | PROXY


def test_the_dashboard_shows_everything_that_is_counted() -> None:
    shown = {
        name for panel in DASHBOARD["panels"] for target in panel.get("targets", ()) for name in asked(target["expr"])
    }
    ours = {metric.name for metric in prometheus_client.REGISTRY.collect() if metric.name.startswith("wordyard_")}
    assert {name for name in ours if not any(series.startswith(name) for series in shown)} == set()


def test_its_panels_have_numbers_and_places_of_their_own() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken = [
        (panel["gridPos"]["x"] + right, panel["gridPos"]["y"] + down)
        for panel in panels
        for right in range(panel["gridPos"]["w"])
        for down in range(panel["gridPos"]["h"])
    ]
    assert len(set(taken)) == len(taken)
    assert max(x for x, _ in taken) < 24


def test_every_copy_of_the_compose_file_is_scraped(tmp_path: Any) -> None:
    jobs = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())["scrape_configs"]
    targets = {target for job in jobs for some in job["static_configs"] for target in some["targets"]}
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    copies = {
        name: service["environment"] for name, service in services.items() if "service" in service.get("command", ())
    }
    assert targets == {
        f"{name}:{told.get('WORDYARD_PORT', told['WORDYARD_OPS_PORT'])}" for name, told in copies.items()
    } | {"proxy:9180"}


@pytest.mark.parametrize("address", ["https://words.example", "http://127.0.0.1:20999", "https://localhost:20999"])
def test_the_proxys_file_is_one_that_caddy_takes(address: str) -> None:
    file = str(DEPLOY / "Caddyfile")
    told = {"SITE_ADDRESS": address, "API_ADDRESSES": "127.0.0.1:1 127.0.0.1:2", "BIND": "127.0.0.1"}
    adapted = run("caddy", "adapt", "--adapter", "caddyfile", "--config", file, **SECRETS, **told)
    assert adapted.returncode == 0, adapted.stderr
    assert run("caddy", "fmt", "--diff", file).returncode == 0

"""Charts as Helm renders them."""

from pathlib import Path
from typing import Any

import yaml

from tests.deploy.checkers import DEPLOY, package

WORDYARD, NATS = DEPLOY / "helm" / "wordyard", DEPLOY / "helm" / "nats"
KUBERNETES = ("1.29", "1.34", "1.37")
"""The oldest that the charts name, one in wide use, and the newest whose schemas there are."""


def rendered(chart: Path, values: dict[str, Any] | None = None, name: str = "words") -> list[dict[str, Any]]:
    """Everything that a release of this chart would make."""
    helm = package("helm_python")
    with helm.Chart.load(str(chart)) as loaded:
        files: dict[str, str] = loaded.render(values or {}, name=name, namespace="games")
    texts = [text for file, text in files.items() if not file.endswith(".txt")]
    return [made for text in texts for made in yaml.safe_load_all(text) if made]


def of_kind(made: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    """All of a kind, by their name."""
    return {one["metadata"]["name"]: one for one in made if one["kind"] == kind}


def pod_of(workload: dict[str, Any]) -> dict[str, Any]:
    """The pod that a Deployment, a StatefulSet or a Job starts."""
    pod: dict[str, Any] = workload["spec"]["template"]["spec"]
    return pod


def told(workload: dict[str, Any]) -> dict[str, str]:
    """The variables of its one container; those of a Secret by the key that they have there, in angle brackets."""
    [container] = pod_of(workload)["containers"]
    return {
        variable["name"]: variable["value"]
        if "value" in variable
        else f"<{variable['valueFrom']['secretKeyRef']['key']}>"
        for variable in container["env"]
        if "value" in variable or "secretKeyRef" in variable["valueFrom"]
    }

"""The charts are ones that Helm and Kubernetes take, and say of a service what compose.yaml says of it."""

from pathlib import Path
from typing import Any

import pytest

from libs.runtime.settings import PREFIX, read
from services.cli.cluster import composed
from tests.deploy.charts import KUBERNETES, NATS, WORDYARD, of_kind, pod_of, rendered, told
from tests.deploy.checkers import SECRETS, USERS, package

OURS = ("api", "game", "scheduler", "solver", "worker")
EVERYTHING: dict[str, Any] = {
    "secrets": {"name": "keys", "create": True, "values": {"secret-key": "x" * 32}},
    "otlpEndpoint": "http://collector:4318/v1/traces",
    "imagePullSecrets": [{"name": "registry"}],
    "ingress": {"className": "nginx", "annotations": {"a/b": "c"}},
    "networkPolicy": {
        name: [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name.lower()}}}]
        for name in ("ingressController", "prometheus", "nats", "postgres")
    },
    "services": {"api": {"settings": {"PLAYER_RATE": "30/second"}}},
    "nats": {"url": "tls://words-nats:4222", "caSecret": "nats-tls"},
    "postgres": {"caSecret": "postgres-tls"},
}
WAYS = ({}, EVERYTHING, {"autoscaling": False}, {"networkPolicy": {"enabled": False}, "ingress": {"enabled": False}})
OPTIONAL = {"LOG_LEVEL", "OTLP_ENDPOINT", "TRACE_SHARE"}


@pytest.mark.parametrize("chart", [WORDYARD, NATS], ids=lambda chart: chart.name)
def test_helm_has_nothing_against_them(chart: Path) -> None:
    said = package("helm_python").lint(str(chart), strict=True)
    assert said["errors"] == []
    assert [one["error"] for one in said["messages"]] == ["icon is recommended"]


@pytest.mark.parametrize("version", KUBERNETES)
@pytest.mark.parametrize("way", WAYS, ids=["defaults", "everything", "fixed", "bare"])
def test_kubernetes_knows_every_field(version: str, way: dict[str, Any]) -> None:
    validate = package("kubernetes_validate").validate
    made = rendered(WORDYARD, way)
    assert {"Deployment", "Service", "Job", "PodDisruptionBudget"} <= {one["kind"] for one in made}
    for one in [*made, *rendered(NATS, {"clients": [{"podSelector": {}}], "tls": {"secret": "nats-tls"}})]:
        validate(one, version, strict=True)


def test_a_field_that_kubernetes_does_not_know_is_found() -> None:
    kubernetes = package("kubernetes_validate")
    deployment = of_kind(rendered(WORDYARD), "Deployment")["words-api"]
    deployment["spec"]["replica"] = 2
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(deployment, KUBERNETES[0], strict=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"publicUrl": "http://words.example"},
        {"nats": {"url": "nats://words-nats:4222", "caSecret": "nats-tls"}},
        {"drainSeconds": -1},
        {"autoscale": True},
        {"services": {"api": {"replicas": {"min": 0, "max": 1}}}},
        {"services": {"api": {"settings": {"player_rate": "1/second"}}}},
    ],
)
def test_values_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(package("helm_python").HelmError):
        rendered(WORDYARD, wrong)


@pytest.mark.parametrize("kind", [*OURS, "prepare"])
def test_a_service_is_told_what_compose_tells_it(kind: str) -> None:
    made = rendered(WORDYARD)
    workload = of_kind(made, "Job" if kind == "prepare" else "Deployment")[f"words-{kind}"]
    variables = told(workload)
    read({name: value for name, value in variables.items() if not value.startswith("<")})
    composed_ones = composed.environments(SECRETS)["prepare" if kind == "prepare" else f"service {kind}"]
    assert {name.removeprefix(PREFIX) for name in variables.keys() ^ composed_ones.keys()} <= OPTIONAL
    for name in ("LOG_REPLICAS", "CREATE_STREAMS", "NATS_USER"):
        assert variables[PREFIX + name] == composed_ones[PREFIX + name]
    secret = {name for name, value in variables.items() if value.startswith("<")}
    assert {name for name, value in composed_ones.items() if value in SECRETS.values()} - secret <= {
        f"{PREFIX}PUBLIC_URL"
    }


@pytest.mark.parametrize("kind", [*OURS, "prepare"])
def test_a_service_trusts_the_authorities_that_are_named_and_sees_no_key_of_theirs(kind: str) -> None:
    workload = of_kind(rendered(WORDYARD, EVERYTHING), "Job" if kind == "prepare" else "Deployment")[f"words-{kind}"]
    settings = read({name: value for name, value in told(workload).items() if not value.startswith("<")})
    assert (settings.nats_url, settings.nats_ca) == ("tls://words-nats:4222", "/etc/wordyard/nats/ca.crt")
    [container] = pod_of(workload)["containers"]
    mounts = {mount["name"]: (mount["mountPath"], mount.get("readOnly")) for mount in container["volumeMounts"]}
    for server in ("nats", "postgres"):
        assert mounts[f"{server}-ca"] == (f"/etc/wordyard/{server}", True)
        [volume] = [one for one in pod_of(workload)["volumes"] if one["name"] == f"{server}-ca"]
        assert volume["secret"] == {"secretName": f"{server}-tls", "items": [{"key": "ca.crt", "path": "ca.crt"}]}


def test_further_settings_win() -> None:
    made = rendered(WORDYARD, {"services": {"game": {"settings": {"LOG_LEVEL": "debug", "TRACE_SHARE": 0.5}}}})
    variables = told(of_kind(made, "Deployment")["words-game"])
    assert (variables["WORDYARD_LOG_LEVEL"], variables["WORDYARD_TRACE_SHARE"]) == ("debug", "0.5")
    assert told(of_kind(made, "Deployment")["words-api"])["WORDYARD_LOG_LEVEL"] == "info"


@pytest.mark.parametrize("kind", OURS)
def test_a_pod_is_probed_and_may_do_nothing_but_its_work(kind: str) -> None:
    pod = pod_of(of_kind(rendered(WORDYARD), "Deployment")[f"words-{kind}"])
    [container] = pod["containers"]
    ready = "/health/serving" if kind == "api" else "/health/ready"
    paths = [container[f"{probe}Probe"]["httpGet"]["path"] for probe in ("startup", "readiness", "liveness")]
    assert paths == ["/health/ready", ready, "/health/live"]
    assert container["args"] == ["service", kind]
    assert pod["securityContext"]["runAsNonRoot"]
    assert not pod["automountServiceAccountToken"]
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip


def test_a_rolling_update_takes_nobody_away_before_somebody_is_there() -> None:
    for deployment in of_kind(rendered(WORDYARD, {"drainSeconds": 25}), "Deployment").values():
        assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
        drain = float(told(deployment).get("WORDYARD_DRAIN_SECONDS", 0))
        assert pod_of(deployment)["terminationGracePeriodSeconds"] == drain + 30


def test_tables_and_streams_come_before_the_pods() -> None:
    job = of_kind(rendered(WORDYARD), "Job")["words-prepare"]
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert pod_of(job)["containers"][0]["args"] == ["prepare"]
    assert told(job)["WORDYARD_NATS_PASSWORD"] == "<nats-operator-password>"


def test_every_service_keeps_copies_and_grows_by_cpu() -> None:
    made = rendered(WORDYARD)
    budgets, scalers = of_kind(made, "PodDisruptionBudget"), of_kind(made, "HorizontalPodAutoscaler")
    assert budgets.keys() == scalers.keys() == of_kind(made, "Deployment").keys()
    for name, scaler in scalers.items():
        assert budgets[name]["spec"]["maxUnavailable"] == 1
        assert scaler["spec"]["minReplicas"] == 2
        assert scaler["spec"]["scaleTargetRef"]["name"] == name
        assert scaler["spec"]["metrics"][0]["resource"]["name"] == "cpu"


def test_with_keda_the_scheduler_grows_by_the_timers_that_wait() -> None:
    made = rendered(WORDYARD, {"keda": True})
    [scaled] = of_kind(made, "ScaledObject").values()
    assert scaled["apiVersion"] == "keda.sh/v1alpha1"
    assert scaled["spec"] == {
        "scaleTargetRef": {"name": "words-scheduler"},
        "minReplicaCount": 2,
        "maxReplicaCount": 4,
        "pollingInterval": 15,
        "cooldownPeriod": 300,
        "triggers": [
            {
                "type": "nats-jetstream",
                "metadata": {
                    "natsServerMonitoringEndpoint": "wordyard-nats-members:8222",
                    "account": "$G",
                    "stream": "TIMERS",
                    "consumer": "scheduler",
                    "lagThreshold": "500",
                },
            },
            {"type": "cpu", "metricType": "Utilization", "metadata": {"value": "70"}},
        ],
    }
    assert "words-scheduler" not in of_kind(made, "HorizontalPodAutoscaler")


def test_nothing_comes_in_or_goes_out_but_what_is_named() -> None:
    policies = of_kind(rendered(WORDYARD, EVERYTHING), "NetworkPolicy")
    all_pods = policies["words"]["spec"]
    assert all_pods["policyTypes"] == ["Ingress", "Egress"]
    ports = {port["port"] for rule in all_pods["egress"] for port in rule["ports"]}
    assert ports == {53, 4222, 5432, 4318}
    [into_api] = policies["words-api"]["spec"]["ingress"]
    assert [port["port"] for port in into_api["ports"]] == [8080]
    assert len(into_api["from"]) == 2
    assert policies["words-worker"]["spec"]["policyTypes"] == ["Egress"]


def test_the_nats_chart_starts_three_with_the_users_of_ours() -> None:
    made = rendered(NATS, name="wordyard-nats")
    [servers] = of_kind(made, "StatefulSet").values()
    assert servers["spec"]["replicas"] == 3
    assert told(servers) == {f"{user}_PASSWORD": f"<nats-{user.lower()}-password>" for user in USERS}
    config = of_kind(made, "ConfigMap")["wordyard-nats"]["data"]
    assert config["nats-users.conf"].rstrip() == (composed.DEPLOY / "nats-users.conf").read_text().rstrip()
    for number in range(3):
        assert f'"nats://wordyard-nats-{number}.wordyard-nats-members:6222"' in config["nats.conf"]
    assert '"nats://nats-' not in config["nats.conf"]


def test_the_nats_chart_encrypts_with_the_file_of_ours_where_a_secret_is_named() -> None:
    for values, file, mounts in (
        ({}, "nats-encryption.conf", {"config", "log"}),
        ({"tls": {"secret": "nats-tls"}}, "nats-tls.conf", {"config", "log", "tls"}),
    ):
        made = rendered(NATS, values, name="wordyard-nats")
        config = of_kind(made, "ConfigMap")["wordyard-nats"]["data"]
        assert config["nats-encryption.conf"].rstrip() == (composed.DEPLOY / file).read_text().rstrip()
        [servers] = of_kind(made, "StatefulSet").values()
        [container] = pod_of(servers)["containers"]
        assert {mount["name"] for mount in container["volumeMounts"]} == mounts
        assert {volume["name"] for volume in pod_of(servers)["volumes"]} == mounts - {"log"}
    [tls] = [mount for mount in container["volumeMounts"] if mount["name"] == "tls"]
    assert tls == {"name": "tls", "mountPath": "/etc/nats-tls", "readOnly": True}
    assert config["nats-encryption.conf"].count('"/etc/nats-tls/') == 3

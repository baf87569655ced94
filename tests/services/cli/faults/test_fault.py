"""What is measured of a fault, and which there are."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli.faults.catalog import CATALOG
from services.cli.faults.command import faults
from services.cli.faults.fault import Watched


@pytest.mark.parametrize(
    ("acknowledged", "longest"),
    [
        ([1.0, 2.0, 6.0, 7.0], 4.0),
        ([1.0, 4.5, 5.0], 3.5),  # it began before the fault did
        ([4.0, 5.0, 9.5], 4.5),  # it ended after the fault had
        ([], 5.0),
        ([1.0, 9.0], 8.0),
    ],
)
def test_the_longest_gap_is_the_longest_that_touches_the_fault(
    tmp_path: Path, acknowledged: list[float], longest: float
) -> None:
    ledger = Watched(tmp_path / "ledger.jsonl")
    ledger.guesses.extend(acknowledged)
    assert ledger.longest_gap(3.0, 8.0) == longest


def test_every_part_of_the_cluster_is_killed_and_paused() -> None:
    services = [f"{name}-{copy}" for name in ("api", "game", "scheduler", "solver", "worker") for copy in (1, 2)]
    parts = [*services, "nats-1", "nats-2", "nats-3", "postgres", "proxy", "leader"]
    assert {f"{how}-{part}" for how in ("kill", "pause") for part in parts} <= set(CATALOG)


def test_faults_are_chosen_by_patterns() -> None:
    listed = CliRunner().invoke(faults, ["--list", "--only", "kill-nats-*", "--only", "restore-postgres"]).output
    names = [line.split()[0] for line in listed.splitlines()[1:] if not line.startswith("  ")]
    assert names == ["kill-nats-1", "kill-nats-2", "kill-nats-3", "restore-postgres"]


def test_a_pattern_that_names_no_fault_is_refused() -> None:
    result = CliRunner().invoke(faults, ["--only", "kill-nobody"])
    assert (result.exit_code, "no such fault" in result.output) == (2, True)

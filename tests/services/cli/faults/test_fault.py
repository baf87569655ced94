"""What is measured of a fault, and which there are."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli.faults.catalog import CATALOG
from services.cli.faults.command import faults
from services.cli.faults.watched import Watched
from services.cli.load.ledger import Entry, Refused, Sent, Taken

Doing = tuple[float, str, str]  # when, sent or taken or refused, which guess

ONE = [(0.0, "sent", "a"), (1.0, "taken", "a")]


def entry(what: str, key: str) -> Entry:
    match what:
        case "sent":
            return Sent(game="g", by="ann", key=key, word="crane")
        case "taken":
            return Taken(game="g", by="ann", key=key, version=1, word="crane", marks="-----")
        case _:
            return Refused(request="guess", status=422, code="unknown_word", key=key, final=True)


@pytest.mark.parametrize(
    ("doings", "longest"),
    [
        ([*ONE, (1.5, "sent", "b"), (4.0, "taken", "b")], 2.5),
        ([*ONE, (9.0, "sent", "b"), (9.5, "taken", "b")], 0.5),  # nobody waited before
        ([*ONE, (2.0, "sent", "b"), (2.5, "sent", "c"), (6.0, "taken", "c"), (8.0, "taken", "b")], 4.0),
        ([*ONE, (2.0, "sent", "b"), (3.0, "refused", "b"), (5.0, "sent", "c"), (6.0, "taken", "c")], 1.0),
        ([(0.0, "sent", "a"), (2.5, "taken", "a"), (3.0, "sent", "b"), (3.25, "taken", "b")], 0.25),  # sooner
        (ONE, 0.0),
    ],
)
def test_a_gap_is_a_time_in_which_guesses_wait_and_none_is_taken(
    tmp_path: Path, doings: Sequence[Doing], longest: float
) -> None:
    now = 0.0
    ledger = Watched(tmp_path / "ledger.jsonl", lambda: now)
    for when, what, key in doings:
        now = when
        ledger.write(entry(what, key))
    assert ledger.longest_gap(since=2.75) == longest


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

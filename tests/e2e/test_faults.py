"""The cheapest of `wordyard faults` on a whole cluster: nothing is lost, doubled or shown wrongly."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from libs.runtime import ids
from services.cli.cluster import Cluster
from services.cli.faults.catalog import CATALOG
from services.cli.faults.driver import SETTINGS, Suite
from services.cli.faults.fault import Fault, Stage
from services.cli.load.ledger import Book, Taken

pytestmark = pytest.mark.faults

CHEAPEST = ("kill-game-1", "crash-postgres", "kill-leader", "again-nats")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(settings=SETTINGS) as running:
        yield running


def suite(cluster: Cluster, folder: Path) -> Suite:
    return Suite(cluster, folder, players=6, seconds=1, chance=ids.chances(1))


@pytest.mark.timeout(240)
async def test_nothing_comes_of_a_fault(cluster: Cluster, tmp_path: Path) -> None:
    trying, outcomes = suite(cluster, tmp_path), []
    async for outcome in trying.each(CATALOG[name] for name in CHEAPEST):
        assert outcome.problems == [], outcome.fault
        assert (outcome.guesses, outcome.verified.views) > (0, 0)
        assert len(outcome.verified.projections) == 4
        outcomes.append(outcome)
    together = await trying.once_more()
    assert together.problems == []
    assert together.verified.games == sum(outcome.verified.games for outcome in outcomes)
    assert most_answered(tmp_path / "004-again-nats.jsonl") >= 4  # once as it was sent, and three times again


def most_answered(ledger: Path) -> int:
    """How often the command that was answered most often was answered."""
    entries = [entry for _, page in Book(ledger).pages() for entry in page if isinstance(entry, Taken)]
    [(_, times)] = Counter((entry.by, entry.key) for entry in entries).most_common(1)
    return times


@pytest.mark.timeout(120)
async def test_a_guess_that_is_lost_is_found(cluster: Cluster, tmp_path: Path) -> None:
    async def promise(stage: Stage) -> None:
        lost = Taken(game=ids.new_id(), by=ids.new_id(), key="lost", version=3, word="crane", marks="-----")
        stage.ledger.write(lost)

    lying = Fault(name="lie", does="a guess is acknowledged and not stored", expected="it is found", act=promise)
    outcome = await suite(cluster, tmp_path).one(lying)
    assert [problem.partition(": ")[2] for problem in outcome.problems] == ["the log has no such game"]

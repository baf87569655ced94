"""What the tests of the services share: a clock that they set, and the tables of the game service."""

import pytest

from libs.runtime import postgres
from tests.services.copies import Clock


@pytest.fixture
def clock() -> Clock:
    """The test's own time."""
    return Clock()


@pytest.fixture(scope="module")
def game_tables(postgres_url: str) -> None:
    """The module's database has the tables that projections fold into."""
    postgres.migrate(postgres_url, ["services.game.tables"])

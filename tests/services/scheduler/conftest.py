"""Schedulers start on tables that suit them."""

import pytest


@pytest.fixture(autouse=True)
def _tables(game_tables: None) -> None:
    """The module's database has the tables that the scheduler looks at."""

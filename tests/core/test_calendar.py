"""Days and midnights: all vectors, and the two nights of the year on which an Eastern day has not 24 hours."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.core.calendar import close_of, eastern_day, invite_expires, utc_day

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "calendar.json").read_text())

moments = st.integers(0, 100 * 366 * 86_400_000).map(
    lambda milliseconds: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize("case", VECTORS["days"], ids=lambda case: case["start"])
def test_the_day_of_an_instant_and_its_end(case: dict[str, Any]) -> None:
    start = moment(case["start"])
    day = eastern_day(start)
    assert date.fromisoformat(case["eastern_day"]) == day
    assert moment(case["close"]) == close_of(day)
    assert timedelta(seconds=case["day_seconds"]) == close_of(day) - close_of(day - timedelta(days=1))
    assert date.fromisoformat(case["utc_day"]) == utc_day(start)


@pytest.mark.parametrize("case", VECTORS["guesses"], ids=lambda case: case["received"])
def test_a_guess_counts_until_the_midnight_of_the_games_day(case: dict[str, Any]) -> None:
    close = close_of(eastern_day(moment(case["start"])))
    assert case["counts"] == (moment(case["received"]) < close)


@pytest.mark.parametrize("case", VECTORS["invites"], ids=lambda case: case["taken"])
def test_an_invite_can_be_taken_until_it_expires(case: dict[str, Any]) -> None:
    taken, expires = moment(case["taken"]), invite_expires(moment(case["made"]))
    assert moment(case["expires"]) == expires
    assert case["open"] == (taken < expires)
    if case["open"]:
        day = eastern_day(taken)
        assert date.fromisoformat(case["eastern_day"]) == day
        assert moment(case["close"]) == close_of(day)


@pytest.mark.parametrize(
    ("day", "close"),
    [
        (date(2026, 1, 15), datetime(2026, 1, 16, 5, tzinfo=UTC)),  # winter
        (date(2026, 7, 15), datetime(2026, 7, 16, 4, tzinfo=UTC)),  # summer
        (date(2026, 3, 7), datetime(2026, 3, 8, 5, tzinfo=UTC)),  # the day before the clocks go forward
        (date(2026, 3, 8), datetime(2026, 3, 9, 4, tzinfo=UTC)),  # 23 hours
        (date(2026, 11, 1), datetime(2026, 11, 2, 5, tzinfo=UTC)),  # 25 hours
    ],
)
def test_an_eastern_day_closes_at_its_own_midnight(day: date, close: datetime) -> None:
    assert close == close_of(day)
    assert eastern_day(close - timedelta(microseconds=1)) == day
    assert eastern_day(close) == day + timedelta(days=1)


@given(moments)
def test_every_instant_lies_within_its_eastern_day(now: datetime) -> None:
    day = eastern_day(now)
    assert close_of(day - timedelta(days=1)) <= now < close_of(day)


@given(moments)
def test_an_invite_lasts_604800_seconds_whatever_the_clocks_do(made: datetime) -> None:
    assert (invite_expires(made) - made).total_seconds() == 604_800

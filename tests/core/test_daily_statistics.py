"""Scores, percentiles and streaks of the Daily."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.core.calendar import eastern_day
from libs.core.daily_scores import ALL, FAILED, MINUTE, SECOND, buckets, percentile
from libs.core.daily_statistics import Statistics, streak_on

DAY = date(2026, 3, 7)


def after(*solved: bool | None, first: date = DAY) -> Statistics:
    """What has come of consecutive days: solved, failed, or (none) not played."""
    statistics = Statistics()
    for place, found in enumerate(solved):
        if found is not None:
            statistics.add(first + timedelta(days=place), 3 if found else 6, solved=found, finished=True)
    return statistics


@pytest.mark.parametrize(
    ("results", "streak", "longest"),
    [
        ([True], 1, 1),
        ([True, True, True], 3, 3),
        ([True, True, False, True], 1, 2),
        ([True, True, None, True], 1, 2),
        ([False, False], 0, 0),
        ([True, True, True, False, True, True], 2, 3),
    ],
)
def test_a_streak_is_days_in_a_row_solved(results: list[bool | None], streak: int, longest: int) -> None:
    statistics = after(*results)
    today = DAY + timedelta(days=len(results) - 1)
    assert (streak_on(today, statistics.streak, statistics.streak_end), statistics.longest) == (streak, longest)


def test_today_is_not_yet_counted_against_a_streak() -> None:
    statistics = after(True, True)
    yesterday = DAY + timedelta(days=1)
    streaks = [
        streak_on(yesterday + timedelta(days=days), statistics.streak, statistics.streak_end) for days in (0, 1, 2)
    ]
    assert streaks == [2, 2, 0]
    assert streak_on(DAY, 0, None) == 0


@pytest.mark.parametrize("change", [date(2026, 3, 8), date(2026, 11, 1)])
def test_a_streak_goes_on_over_days_of_23_and_25_hours(change: date) -> None:
    """Solved at five to midnight, Eastern, on the evening before the clocks change, that evening, and the next."""
    evenings = {
        date(2026, 3, 8): [(8, 4, 55), (9, 3, 55), (10, 3, 55)],
        date(2026, 11, 1): [(1, 3, 55), (2, 4, 55), (3, 4, 55)],
    }
    days = [
        eastern_day(datetime(2026, change.month, day, hour, minute, tzinfo=UTC))
        for day, hour, minute in evenings[change]
    ]
    assert days == [change - timedelta(days=1), change, change + timedelta(days=1)]
    statistics = Statistics()
    for day in days:
        statistics.add(day, 4, solved=True, finished=True)
    assert (statistics.streak, statistics.longest) == (3, 3)


def test_an_unfinished_day_is_not_played_and_ends_the_streak() -> None:
    statistics = after(True)
    statistics.add(DAY + timedelta(days=1), 2, solved=False, finished=False)
    statistics.add(DAY + timedelta(days=2), 1, solved=True, finished=True)
    assert (statistics.played, statistics.solved, statistics.streak, statistics.longest) == (2, 2, 1, 1)
    assert statistics.histogram == [1, 0, 1, 0, 0, 0, 0]
    assert statistics.last_day == DAY + timedelta(days=2)


def test_the_histogram_tells_solved_with_six_from_failed() -> None:
    statistics = Statistics()
    statistics.add(DAY, 6, solved=True, finished=True)
    statistics.add(DAY + timedelta(days=1), 6, solved=False, finished=True)
    assert statistics.histogram == [0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("worse", "equal", "finished", "right"),
    [
        (0, 1, 1, 50.0),  # alone: as good as oneself
        (3, 1, 4, 87.5),
        (0, 1, 4, 12.5),
        (1, 2, 4, 50.0),  # two share a score: each counts half for the other
        (0, 4, 4, 50.0),
        (1, 1, 3, 50.0),
        (2, 1, 3, 83.33),
    ],
)
def test_the_percentile_is_the_share_with_a_worse_score_and_equals_count_half(
    worse: int, equal: int, finished: int, right: float
) -> None:
    assert percentile(worse, equal, finished) == right


def test_a_result_counts_in_a_coarse_and_a_fine_bucket_and_a_failed_one_by_its_number_alone() -> None:
    assert list(buckets(3, 61_999)) == [(ALL, 0), (MINUTE, 1), (SECOND, 61)]
    assert list(buckets(1, 0)) == [(ALL, 0), (MINUTE, 0), (SECOND, 0)]
    assert list(buckets(FAILED, None)) == [(ALL, 0)]


@given(st.lists(st.sampled_from([True, False, None]), max_size=60))
def test_a_record_is_what_one_would_count_by_hand(results: list[bool | None]) -> None:
    statistics = after(*results)
    runs = [len(run) for run in "".join("x" if found else " " for found in results).split(" ")]
    assert statistics.longest == max(runs)
    assert statistics.solved == results.count(True)
    assert statistics.played == sum(statistics.histogram) == len(results) - results.count(None)
    today = DAY + timedelta(days=len(results) - 1)
    up_to_yesterday = [0, *runs][-2]
    assert streak_on(today, statistics.streak, statistics.streak_end) == (runs[-1] or up_to_yesterday)

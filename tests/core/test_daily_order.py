"""The order of the Daily's words: every word once a round, none again too soon, and no day ever changes."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.core import lexicon
from libs.core.daily_order import APART, FIRST_DAY, Edition, word_of, words

KEY = b"a key of the tests, with 32 bytes"
keys = st.binary(min_size=32, max_size=32)


def made(first: int, last: int) -> tuple[str, ...]:
    """Words that are none, from the first number to before the last."""
    return tuple(f"w{number:04}" for number in range(first, last))


def edition(count: int, *, after: int = 0, first: int = 0) -> Edition:
    return Edition(FIRST_DAY + timedelta(days=after), made(first, first + count))


def order(days: int, *editions: Edition, key: bytes = KEY) -> list[str]:
    return [word for _, word in islice(words(key, editions), days)]


def gaps(some: Sequence[str]) -> list[int]:
    """For each word that comes again, after how many days."""
    last: dict[str, int] = {}
    found = []
    for day, word in enumerate(some):
        if word in last:
            found.append(day - last[word])
        last[word] = day
    return found


@settings(max_examples=20, deadline=None)
@given(key=keys, count=st.integers(1, 800), rounds=st.integers(1, 3))
def test_each_round_has_every_word_once(key: bytes, count: int, rounds: int) -> None:
    found = order(count * rounds, edition(count), key=key)
    for number in range(rounds):
        assert sorted(found[number * count : (number + 1) * count]) == list(made(0, count))


@settings(max_examples=15, deadline=None)
@given(key=keys, count=st.integers(366, 800))
def test_no_word_comes_again_within_365_days(key: bytes, count: int) -> None:
    assert min(gaps(order(4 * count, edition(count), key=key))) > APART


@pytest.mark.parametrize("count", [366, 367, 400, 2027])
def test_the_shortest_lists_and_our_own_keep_words_apart_for_ten_rounds(count: int) -> None:
    assert min(gaps(order(10 * count, edition(count)))) > APART


def test_each_round_has_an_order_of_its_own() -> None:
    found = order(3 * 800, edition(800))
    rounds = {tuple(found[begin : begin + 800]) for begin in (0, 800, 1600)}
    assert len(rounds) == 3


def test_of_366_words_each_round_must_be_like_the_first() -> None:
    found = order(3 * 366, edition(366))
    assert found[:366] == found[366:732] == found[732:]


def test_a_list_of_365_words_or_less_simply_runs_round_after_round() -> None:
    found = order(3 * 365, edition(365))
    assert min(gaps(found)) < APART
    assert len({tuple(found[begin : begin + 365]) for begin in (0, 365, 730)}) == 3


@settings(max_examples=20, deadline=None)
@given(
    key=keys,
    count=st.integers(366, 500),
    grown=st.integers(1, 200),
    after=st.integers(1, 1200),
)
def test_a_grown_list_changes_no_day_before_and_its_words_come_in_this_round(
    key: bytes, count: int, grown: int, after: int
) -> None:
    before = order(after, edition(count), key=key)
    found = order(after + count + grown, edition(count), edition(count + grown, after=after), key=key)
    assert found[:after] == before
    began = (after - 1) // count * count  # when the round began whose rest has changed
    assert sorted(found[began : began + count + grown]) == list(made(0, count + grown))
    assert min(gaps(found), default=APART + 1) > APART


@settings(max_examples=20, deadline=None)
@given(
    key=keys,
    first=st.integers(1, 500),
    second=st.integers(366, 500),
    shift=st.integers(0, 500),
    after=st.integers(1, 900),
)
def test_whatever_the_list_becomes_it_never_runs_out_and_words_that_are_gone_stay_away(
    key: bytes, first: int, second: int, shift: int, after: int
) -> None:
    found = order(after + 3 * second, edition(first), edition(second, after=after, first=shift), key=key)
    assert set(found[after:]) <= set(made(shift, shift + second))
    assert found[:after] == order(after, edition(first), key=key)
    late = found[after:]
    assert min(gaps(late)) > APART
    for place, word in enumerate(late[:APART]):  # nor within a year of their last day under the list before
        assert word not in found[max(0, after + place - APART) : after]


def test_words_that_are_new_come_between_those_that_are_left() -> None:
    found = order(800, edition(400), edition(800, after=100))
    new = [place for place, word in enumerate(found[100:]) if word >= "w0400"]
    assert len(new) == 400
    assert new[0] < 20
    assert new[-1] > 680


def test_the_order_of_a_file_and_words_that_stand_twice_change_nothing() -> None:
    plain, shuffled = edition(400), Edition(FIRST_DAY, (*reversed(made(0, 400)), "w0007"))
    assert order(900, plain) == order(900, shuffled)


@settings(max_examples=20, deadline=None)
@given(one=keys, other=keys)
def test_another_key_is_another_order(one: bytes, other: bytes) -> None:
    ours, theirs = order(400, edition(400), key=one), order(400, edition(400), key=other)
    same = sum(a == b for a, b in zip(ours, theirs, strict=True))
    assert (same > 12) == (one == other)  # two orders without any relation agree in one place on average


def test_nothing_but_the_key_and_the_lists_decides() -> None:
    """These words will never change: every replica and every release finds them."""
    secrets = Edition(FIRST_DAY, lexicon.edition("55b48d48").secrets)
    assert order(5, secrets) == ["cinch", "sepia", "doing", "lathe", "sinus"]
    assert word_of(KEY, [secrets], date(2026, 11, 1)) == "tunic"
    assert word_of(KEY, [secrets], date(2033, 3, 13)) == "cocoa"


def test_a_day_has_the_word_of_its_place() -> None:
    found = order(500, edition(400))
    assert [word_of(KEY, [edition(400)], FIRST_DAY + timedelta(days=day)) for day in (0, 1, 499)] == [
        found[0],
        found[1],
        found[499],
    ]


def test_there_is_no_day_before_the_first() -> None:
    with pytest.raises(ValueError, match="the first day is 2026-01-01"):
        word_of(KEY, [edition(400)], FIRST_DAY - timedelta(days=1))


@pytest.mark.parametrize(
    "editions",
    [
        [],
        [edition(400, after=1)],
        [edition(400), edition(401)],
        [edition(400), edition(401, after=9), edition(402, after=8)],
        [edition(400), Edition(FIRST_DAY + timedelta(days=9), ())],
    ],
)
def test_lists_that_make_no_sense_are_refused(editions: list[Edition]) -> None:
    with pytest.raises(ValueError, match="list"):
        next(iter(words(KEY, editions)))

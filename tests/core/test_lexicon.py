"""Word lists: which words are in, which are not, and that no edition is ever lost."""

import pytest

from libs.core import daily, lexicon
from libs.core.daily_order import APART, FIRST_DAY

REQUIRED = "crepe banal visit heavy sight sheep hobby crane slate eerie allot sassy geese abbey".split()  # noqa: SIM905


def test_the_newest_edition_is_the_last_of_all() -> None:
    assert lexicon.newest() is lexicon.edition(lexicon.editions()[-1])
    assert lexicon.newest().edition == lexicon.editions()[-1]


def test_the_first_edition_can_always_be_had() -> None:
    first = lexicon.edition("55b48d48")
    assert (len(first.guesses), len(first.secrets)) == (9_090, 2_027)


@pytest.mark.parametrize("name", ["", "1", "55b48d49", "sources", "../words/55b48d48", "55b48d48/"])
def test_an_edition_that_never_was_is_a_lookup_error(name: str) -> None:
    with pytest.raises(LookupError):
        lexicon.edition(name)
    with pytest.raises(LookupError):
        lexicon.words(name, "secrets")


@pytest.mark.parametrize("word", REQUIRED)
def test_the_words_of_the_rules_are_guesses_and_secrets(word: str) -> None:
    assert word in lexicon.newest().guesses
    assert lexicon.newest().has_secret(word)


@pytest.mark.parametrize("word", ["fibre", "tyres", "email", "vlogs", "cafes", "ramen", "geese", "aahed"])
def test_both_spellings_and_words_of_today_may_be_guessed(word: str) -> None:
    assert word in lexicon.newest().guesses


@pytest.mark.parametrize("word", ["fibre", "email", "words", "asked", "whore", "japan", "aahed"])
def test_british_spellings_inflections_crude_and_rare_words_are_no_secrets(word: str) -> None:
    assert not lexicon.newest().has_secret(word)


@pytest.mark.parametrize("word", ["zzzzz", "qqqqq", "abcde", "james", "wierd", "Crane", "cran", ""])
def test_what_is_no_word_is_no_guess(word: str) -> None:
    assert word not in lexicon.newest().guesses


def test_exactly_the_words_of_the_list_are_secrets() -> None:
    newest = lexicon.newest()
    assert all(map(newest.has_secret, newest.secrets))
    neighbours = {f"{word[:-1]}{letter}" for word in newest.secrets for letter in "az~"} | {"", "a", "zzzzz"}
    assert {word for word in neighbours if newest.has_secret(word)} == neighbours & set(newest.secrets)


def test_secrets_are_in_alphabetical_order() -> None:
    assert list(lexicon.newest().secrets) == sorted(set(lexicon.newest().secrets))


def test_the_daily_has_taken_its_words_from_some_edition_since_its_first_day() -> None:
    days = [day for day, _ in lexicon.daily()]
    assert days[0] == FIRST_DAY
    assert days == sorted(set(days))
    assert {name for _, name in lexicon.daily()} <= set(lexicon.editions())


def test_every_list_of_the_daily_is_long_enough_to_keep_words_a_year_apart() -> None:
    assert all(len(edition.words) > APART for edition in daily.editions())

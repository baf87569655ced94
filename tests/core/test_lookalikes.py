"""Look-alikes: the TR39 prototype, and the Latin letter that a foreign one passes for."""

import sys
from string import ascii_lowercase

import pytest

from libs.core.lookalikes import bare, prototype, small


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "p\u0430yp\u0430l"),  # Cyrillic a
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),  # Cyrillic throughout
        ("I", "l"),
        ("1", "l"),
        ("0", "O"),
        ("rn", "m"),
        ("\u00e9", "e\u0301"),
        ("O", "\u039f"),  # Greek omicron
        ("\u00f8", "o\u0338"),
    ],
)
def test_texts_that_look_alike_have_one_prototype(one: str, other: str) -> None:
    assert prototype(one) == prototype(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("e", "\u00e9"), ("O", "o"), ("i", "l"), ("n", "m")])
def test_texts_that_do_not_look_alike_have_two(one: str, other: str) -> None:
    assert prototype(one) != prototype(other)


def test_a_prototype_of_a_letter_is_its_own_prototype() -> None:
    letters = [
        chr(point) for point in range(sys.maxunicode) if chr(point).isalpha() and chr(point) != prototype(chr(point))
    ]
    assert len(letters) > 3_000
    assert [letter for letter in letters if prototype(prototype(letter)) != prototype(letter)] == []


@pytest.mark.parametrize(
    ("letter", "latin"),
    [
        ("A", "a"),
        ("\u0430", "a"),  # Cyrillic a
        ("\u041d", "h"),  # Cyrillic en: the capital looks like H
        ("\u043d", "h"),  # so the small one passes for it too
        ("\u03bd", "v"),  # Greek ny: the small one looks like v
        ("\u039d", "v"),
        ("\u0131", "i"),  # dotless i
        ("\u017f", "s"),  # long s
        ("\U0001d4ef", "f"),  # script f
        ("\u24d5", "f"),  # circled f
        ("\uff46", "f"),  # full width f
        ("\u0436", "\u0436"),  # Cyrillic zhe looks like none
        ("\u5b57", "\u5b57"),
        ("0", "0"),
    ],
)
def test_the_small_latin_letter_that_a_letter_looks_like(letter: str, latin: str) -> None:
    assert latin == small(letter)


def test_accents_stay_until_they_are_taken_off() -> None:
    assert small("\u00c9") == "e\u0301"
    assert bare("Zo\u00eb\u200d") == "Zoe"


def test_case_never_tells_a_latin_letter() -> None:
    assert [letter for letter in ascii_lowercase if small(letter) != small(letter.upper())] == []

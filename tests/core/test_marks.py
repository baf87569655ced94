"""Marks: the examples of the rules, all vectors, what a word may be written like, and laws for any two words."""

import json
from collections import Counter
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.core.marks import SOLVED, from_number, letters, mark, number
from libs.core.refusals import Reason, Refused

CASES = json.loads((Path(__file__).parents[1] / "vectors" / "marks.json").read_text())["cases"]

# From three letters, so that they repeat and meet.
words = st.text(alphabet="abc", min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("guess", "secret", "marks"),
    [
        ("eerie", "crepe", "RIRIC"),
        ("allot", "banal", "RRIII"),
        ("sassy", "visit", "IICII"),
        ("eerie", "heavy", "ICIII"),
        ("sassy", "sight", "CIIII"),
        ("geese", "sheep", "IRCRI"),
        ("abbey", "hobby", "IRCIC"),
    ],
)
def test_the_examples_of_the_rules(guess: str, secret: str, marks: str) -> None:
    assert marks == mark(guess, secret)


def test_all_vectors() -> None:
    assert len(CASES) == 232
    assert [case for case in CASES if mark(case["guess"], case["secret"]) != case["marks"]] == []


@given(words, words)
def test_a_tile_is_green_exactly_where_the_letters_agree(guess: str, secret: str) -> None:
    assert [g == s for g, s in zip(guess, secret, strict=True)] == [tile == "C" for tile in mark(guess, secret)]


@given(words, words)
def test_a_letter_is_marked_as_often_as_both_words_have_it(guess: str, secret: str) -> None:
    marked = Counter(letter for letter, tile in zip(guess, mark(guess, secret), strict=True) if tile != "I")
    assert Counter(guess) & Counter(secret) == marked


@given(words, words)
def test_a_repeated_letter_is_never_gray_left_of_purple(guess: str, secret: str) -> None:
    row = mark(guess, secret)
    for letter in set(guess):
        tiles = [tile for g, tile in zip(guess, row, strict=True) if g == letter and tile != "C"]
        assert sorted(tiles, reverse=True) == tiles


@given(words)
def test_the_secret_itself_is_all_green(secret: str) -> None:
    assert mark(secret, secret) == SOLVED


@pytest.mark.parametrize(("row", "value"), [("IIIII", 0), ("IIIIR", 1), ("IIIIC", 2), ("RIIII", 81), ("CCCCC", 242)])
def test_a_row_as_a_number_counts_the_first_tile_most(row: str, value: int) -> None:
    assert value == number(row)
    assert row == from_number(value)


def test_each_number_has_its_row() -> None:
    assert [number(from_number(value)) for value in range(243)] == list(range(243))


@pytest.mark.parametrize("text", ["crane", "CRANE", "CrAnE", "  crane", "crane\t", "\t crane \t"])
def test_case_and_blanks_around_do_not_matter(text: str) -> None:
    assert letters(text) == "crane"


def test_every_letter_a_to_z_is_taken() -> None:
    assert ascii_lowercase == letters(ascii_lowercase.upper(), 26)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cran",
        "cranes",
        "cr ne",
        "cr-ne",
        "cran3",
        "crane\n",
        "\u00a0crane",
        "ca\u017ft\u0131",
        "\u017fight",  # long s
        "v\u0131sit",  # dotless i
        "v\u0130sit",  # dotted capital I
        "\u212aarma",  # Kelvin sign
        "\uff43\uff52\uff41\uff4e\uff45",  # full width
        "\ufb01sts",  # ligature fi
        "\ufb01ght",
        "\u0441rane",  # Cyrillic es
        "cr\u00e4ne",
        "cra\u0308ne",
        "cran\u200be",
        "\U0001d41c\U0001d42b\U0001d41a\U0001d427\U0001d41e",  # mathematical bold
    ],
)
def test_anything_but_five_letters_a_to_z_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        letters(text)
    assert caught.value.reason is Reason.LETTERS


@given(st.text(max_size=8))
def test_a_word_that_is_taken_was_ascii_all_along(text: str) -> None:
    try:
        word = letters(text)
    except Refused:
        return
    assert text.strip(" \t").isascii()
    assert text.strip(" \t").lower() == word

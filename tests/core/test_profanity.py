"""Crude words: starred as whole words, also in disguise; everything else is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.core import lexicon
from libs.core.profanity import is_crude, starred


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("oh shit!", "oh ****!"),
        ("SHIT happens", "**** happens"),
        ("sh1t", "****"),
        ("5h!t.", "****."),
        ("what an a$$!", "what an ***!"),
        ("a55h0le", "*******"),
        ("fuck99", "****99"),
        ("99fuck", "99****"),
        ("ni66er", "******"),
        ("two dicks", "two *****"),
        ("sIut", "****"),  # capital I for l
        ("SHlT", "****"),  # small l for I
        ("f\u00fcck", "****"),
        ("fu\u200bck", "*****"),  # with a blank of no width inside
        ("\u0455hit", "****"),  # Cyrillic s
        ("\uff46\uff55\uff43\uff4b", "****"),
        ("f u c k off", "* * * * off"),
        ("f-u-c-k", "*******"),
        ("a blow job", "a **** ***"),
        ("blow_job", "********"),
        ("so \U0001f595 there", "so * there"),
        ("motherfucker's", "************'s"),
    ],
)
def test_crude_words_are_starred(text: str, shown: str) -> None:
    assert shown == starred(text)
    assert is_crude(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Scunthorpe, Dickens, Essex and Cockburn",
        "a class of assessors passed the glass",
        "shitake",
        "the cockpit of a peacock",
        "class 455, 5417, 8008",
        "I'm 5 ft 9, a b c",
        "t e s t",
        "pom",  # whose m looks like rn
        "darkle tittles",  # one letter off, and words
        "<b>bold</b>",
        "it's raining 100% + $5 | fun!",
        "this sucks, we got tied up",
        "семь бед",
        "👍🏽 👨‍👩‍👧",
    ],
)
def test_innocent_text_is_left_alone(text: str) -> None:
    assert text == starred(text)
    assert not is_crude(text)


def test_every_listed_word_is_found() -> None:
    listed = lexicon.words(lexicon.editions()[-1], "crude")
    assert len(listed) > 400
    assert [entry for entry in listed if not (is_crude(entry) and is_crude(f"you {entry.upper()}, you"))] == []


def test_no_secret_is_crude() -> None:
    assert [word for word in lexicon.newest().secrets if is_crude(word)] == []


@given(st.text(max_size=40))
def test_stars_change_no_length_and_stand_only_for_crude_words(text: str) -> None:
    shown = starred(text)
    assert len(shown) == len(text)
    assert is_crude(text) == (shown != text)

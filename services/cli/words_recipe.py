"""The recipe of the word lists: pure steps from the words of the sources to each list. It fetches and writes nothing.

docs/words.md tells the recipe in prose and gives the reason of each step.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, msgpack

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
AMERICAN = ("english", "american")
ALL_SPELLINGS = (
    *("english", "american", "british", "british_z", "canadian", "australian"),
    *(f"{region}variant_{n}" for region in ("", "british_", "canadian_", "australian_") for n in (1, 2)),
)
GUESSES_SIZE = 70
SECRETS_SIZE = 50
SECRETS_ZIPF = 2.5  # one in three million words

_FIVE = re.compile("[a-z]{5}")
_LIGATURES = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ð": "d", "þ": "th"})


class Sources(Struct, frozen=True):
    """What the packages hold, as far as the recipe uses it."""

    enable: Sequence[str]
    scowl: Mapping[str, str]  # name of the file ("english-words.10") -> its text
    zipf: Mapping[str, float]  # word -> base-10 logarithm of its uses in a milliard words
    naughty: Sequence[str]


class HandWritten(Struct, frozen=True):
    """The project's own words; the names are those of the files in libs/core/words/sources."""

    guesses_extra: Sequence[str]
    secrets_review: Sequence[str]
    blocked_extra: Sequence[str]
    crude_extra: Sequence[str]
    crude_spared: Sequence[str]


def build(sources: Sources, own: HandWritten) -> dict[str, list[str]]:
    """Every list by its name, sorted by code point, each word once."""
    enable = set(sources.enable)
    enable5 = fives(enable)
    guesses = fives(scowl(sources.scowl, GUESSES_SIZE, ALL_SPELLINGS)) | enable5 | set(own.guesses_extra)
    ordinary = scowl(sources.scowl, SECRETS_SIZE, AMERICAN)
    refused = {*sources.naughty, *own.secrets_review}
    secrets = {
        word
        for word in fives(ordinary) & enable5 - refused
        if sources.zipf.get(word, 0.0) >= SECRETS_ZIPF and not is_inflection(word, ordinary)
    }
    lists = {
        "enable": enable,
        "enable5": enable5,
        "guesses": guesses,
        "secrets": secrets,
        "isograms": {word for word in secrets if len(set(word)) == len(word)},
        "blocked": {*sources.naughty, *own.blocked_extra},
        "crude": {*sources.naughty, *own.crude_extra} - {*own.crude_spared},
    }
    return {name: sorted(words) for name, words in lists.items()}


def fold(word: str) -> str:
    """A word without accents and ligatures: café to cafe, œuvre to oeuvre."""
    spelled = unicodedata.normalize("NFKD", word.translate(_LIGATURES))
    return "".join(letter for letter in spelled if not unicodedata.combining(letter))


def fives(words: Iterable[str]) -> set[str]:
    """Those of the words that have five letters a to z."""
    return {word for word in words if _FIVE.fullmatch(word)}


def scowl(files: Mapping[str, str], size: int, categories: Iterable[str]) -> set[str]:
    """The folded words of SCOWL up to this size in these categories; no names, no abbreviations, no apostrophes."""
    return {
        fold(word)
        for category in categories
        for step in SIZES
        if step <= size
        for word in files.get(f"{category}-words.{step}", "").split("\n")
        if word and word == word.lower() and "'" not in word
    }


def is_inflection(word: str, ordinary: set[str]) -> bool:
    """Is it a plain -s or -ed form of an ordinary word of any length? (greed is none: gree is not ordinary.)"""
    return any(base in ordinary for base in bases(word))


def bases(word: str) -> set[str]:
    """What the word may be an -s or -ed form of, by spelling alone."""
    found = set()
    if word.endswith("s") and not word.endswith("ss"):
        found.add(word[:-1])
        if word.endswith("es"):
            found.add(word[:-2])
        if word.endswith("ies"):
            found.add(word[:-3] + "y")
        if word.endswith("ves"):
            found |= {word[:-3] + "f", word[:-3] + "fe"}
    if word.endswith("ed"):
        found |= {word[:-1], word[:-2]}
        if word.endswith("ied"):
            found.add(word[:-3] + "y")
    return found


def zipf_scale(packed: bytes) -> dict[str, float]:
    """The frequencies of a wordfreq file: after a header, entry i holds the words used once in 10^(i/100) words.

    Raises `ValueError` for another format.
    """
    header, *steps = msgpack.decode(packed, type=list[Any])
    if header != {"format": "cB", "version": 1}:
        raise ValueError("not a word frequency file of format cB, version 1")
    return {word: 9 - i / 100 for i, words in enumerate(steps) for word in words}

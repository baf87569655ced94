"""Word lists by edition: is it a word, may it be a secret. A game keeps the edition it started with."""

from functools import cache
from importlib.resources import files

from msgspec import Struct


class Lexicon(Struct, frozen=True):
    """One edition of the lists; all words are lower case."""

    edition: str
    guesses: frozenset[str]
    secrets: tuple[str, ...]  # in alphabetical order


def newest() -> Lexicon:
    """The edition that new games start with."""
    return edition("1")


@cache
def edition(name: str) -> Lexicon:
    """An edition that some game may have started with. Raises `LookupError` for one that never was."""
    raise LookupError(name)

"""Word lists by edition: is it a word, may it be a secret. A game keeps the edition it started with."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files

from msgspec import Struct, json

_WORDS = files("libs.core").joinpath("words")


class Lexicon(Struct, frozen=True):
    """One edition of the lists; all words are lower case."""

    edition: str
    guesses: frozenset[str]
    secrets: tuple[str, ...]  # in alphabetical order

    def has_secret(self, word: str) -> bool:
        """May this word be a secret?"""
        at = bisect_left(self.secrets, word)
        return at < len(self.secrets) and self.secrets[at] == word


def newest() -> Lexicon:
    """The edition that new games start with."""
    return edition(editions()[-1])


@cache
def edition(name: str) -> Lexicon:
    """An edition that some game may have started with. Raises `LookupError` for one that never was."""
    return Lexicon(name, frozenset(words(name, "guesses")), words(name, "secrets"))


@cache
def editions() -> tuple[str, ...]:
    """The names of all editions there have been, the newest last."""
    return _lines("editions.txt")


class _Manifest(Struct):
    daily_from: date | None = None


@cache
def daily() -> tuple[tuple[date, str], ...]:
    """The editions that the Daily takes its words from, each with its first Eastern day, the earliest first."""
    days = {name: _manifest(name).daily_from for name in editions()}
    return tuple(sorted((day, name) for name, day in days.items() if day is not None))


def words(name: str, kind: str) -> tuple[str, ...]:
    """One list of an edition, in alphabetical order: enable, guesses, secrets, isograms, blocked, crude.

    Read from its file at each call. Raises `LookupError` for an edition that never was.
    """
    if name not in editions():
        raise LookupError(name)
    return _lines(f"{name}/{kind}.txt")


def digest(words: Sequence[str]) -> str:
    """The sha256 of a list as it is stored, one word a line."""
    return sha256("".join(f"{word}\n" for word in words).encode()).hexdigest()


def _manifest(name: str) -> _Manifest:
    return json.decode(_WORDS.joinpath(f"{name}/manifest.json").read_bytes(), type=_Manifest)


def _lines(file: str) -> tuple[str, ...]:
    return tuple(_WORDS.joinpath(file).read_text(encoding="utf-8").split("\n")[:-1])

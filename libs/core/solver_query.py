"""A board compiled into what a word must contain and where, and whether any string of letters can do so.

Asking a word this equals marking every guess against it, since no checked row has a letter gray left of where it is
yellow.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Protocol

from msgspec import Struct

from libs.core.marks import LENGTH

ANY = frozenset(ascii_lowercase)


class Marked(Protocol):
    """A guess with its marks, both checked."""

    @property
    def guess(self) -> str:
        """Five lower-case letters."""

    @property
    def marks(self) -> str:
        """Five of C, R and I."""


class Query(Struct, frozen=True):
    """What a word must satisfy: which letters may stand at each place, how often a letter must and may occur."""

    allowed: tuple[frozenset[str], ...]
    least: Mapping[str, int]
    most: Mapping[str, int]


def compile_rows(rows: Iterable[Marked]) -> Query:
    """The query of these rows; rows that contradict each other make one that nothing satisfies."""
    allowed = [ANY] * LENGTH
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    for row in rows:
        found: Counter[str] = Counter()
        gray = set()
        for place, (letter, mark) in enumerate(zip(row.guess, row.marks, strict=True)):
            allowed[place] = allowed[place] & {letter} if mark == "C" else allowed[place] - {letter}
            if mark == "I":
                gray.add(letter)
            else:
                found[letter] += 1
        for letter, count in found.items():
            least[letter] = max(count, least.get(letter, 0))
        for letter in gray:
            most[letter] = min(found[letter], most.get(letter, LENGTH))
    return Query(tuple(allowed), least, most)


def fits(query: Query, word: str) -> bool:
    """Does this word satisfy the query?"""
    return (
        all(letter in allowed for letter, allowed in zip(word, query.allowed, strict=True))
        and all(word.count(letter) >= count for letter, count in query.least.items())
        and all(word.count(letter) <= count for letter, count in query.most.items())
    )


def candidates(query: Query, words: Sequence[str]) -> Iterator[str]:
    """Those of the words that satisfy the query, in their order."""
    return (word for word in words if fits(query, word))


def is_possible(query: Query) -> bool:
    """Does any string of five letters satisfy the query, be it a word or not?"""
    if any(query.least.get(letter, 0) > count for letter, count in query.most.items()):
        return False
    return _can_fill(query, 0, Counter(query.least))


def _can_fill(query: Query, place: int, missing: Counter[str]) -> bool:
    """Can the places from this one on be filled so that the missing letters all occur?"""
    if missing.total() > LENGTH - place:
        return False
    if place == LENGTH:
        return True
    for letter in [letter for letter, count in missing.items() if count and letter in query.allowed[place]]:
        missing[letter] -= 1
        possible = _can_fill(query, place + 1, missing)
        missing[letter] += 1
        if possible:
            return True
    # A letter that may occur only so often must also occur so often (one row told both), so none is left to fill with.
    return not query.allowed[place] <= query.most.keys() and _can_fill(query, place + 1, missing)

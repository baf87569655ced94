"""Letters that look alike (Unicode TR39): what a text may be taken for, whatever letters it is really written with."""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from msgspec import Struct, json

_MARK = "\u200e"  # the data sets right-to-left letters between two of these
_BY_THE_WAY = {"Mn", "Mc", "Me", "Cf"}


def prototype(text: str) -> str:
    """The TR39 prototype of a text: two texts that look alike have the same one. Upper case stays upper case."""
    table = _prototypes()
    return _spelled("".join(table.get(letter, letter) for letter in _spelled(text)))


@lru_cache(maxsize=4096)
def small(letter: str) -> str:
    """The small Latin letters, with their accents, that a letter looks like in one of its cases; else its small form.

    `small("Н") == small("н") == "h"` for the Cyrillic letter, of which only the capital looks like a Latin one.
    ASCII comes back in small letters. Where both cases look Latin but differ (Greek Ν and ν), the small one counts.
    """
    folded = unicodedata.normalize("NFKC", letter).casefold()
    if folded.isascii():
        return folded
    for form in (folded, folded.upper()):
        look = prototype(form)
        if bare(look).isascii():
            return look.casefold()
    return folded


def bare(text: str) -> str:
    """A text without accents, other marks and invisible signs."""
    return "".join(letter for letter in _spelled(text) if unicodedata.category(letter) not in _BY_THE_WAY)


def _spelled(text: str) -> str:
    return unicodedata.normalize("NFD", text)


class _Look(Struct):
    c: str


@cache
def _prototypes() -> dict[str, str]:
    # The data names pairs both ways round. A prototype has all its look-alikes in its list, a look-alike only its
    # prototype; in a pair that is alone either may serve, so the lower code point does.
    data = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    alike: dict[str, set[str]] = {}
    for key, looks in json.decode(data, type=dict[str, list[_Look]]).items():
        alike.setdefault(key.strip(_MARK), set()).update(look.c.strip(_MARK) for look in looks)
    table = {}
    for letter, others in alike.items():
        if len(letter) == 1 and len(others) == 1:
            (other,) = others
            if len(other) > 1 or len(alike[other]) > 1 or other < letter:
                table[letter] = other
    # A prototype of several letters may hold one of a lonely pair.
    return {letter: "".join(table.get(part, part) for part in _spelled(other)) for letter, other in table.items()}

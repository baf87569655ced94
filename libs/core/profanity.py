"""Crude words in names and chat, found as whole words: also disguised by look-alikes, digits, signs or blanks."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TypeAlias

import regex
from msgspec import Struct

from libs.core import lexicon
from libs.core.lookalikes import bare, small

Span: TypeAlias = tuple[int, int]

_SIGNS = "@$!|+"
_WORD = regex.compile(rf"[\p{{L}}\p{{M}}\p{{Cf}}\p{{N}}{_SIGNS}]+|\p{{Extended_Pictographic}}")
_LETTERS = regex.compile(r"[\p{L}\p{M}\p{Cf}]+")
_SPACED_OUT = regex.compile(r"(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][ ._*-]){2,}[\p{L}\p{N}](?![\p{L}\p{N}])")
_MEANT = str.maketrans("0123456789@$!|+", "olzeasgtbgasllt")
_I_IS_L = str.maketrans("i", "l")  # 1, ! and | are used for both


class _Crude(Struct, frozen=True):
    words: frozenset[str]
    disguised: frozenset[str]  # the same words, i and l being one
    phrases: frozenset[tuple[str, ...]]
    longest: int  # words in the longest phrase


def is_crude(text: str) -> bool:
    """Has the text a crude word? Words that merely contain one (Scunthorpe, Dickens) have not."""
    return any(True for _ in _found(text))


def starred(text: str) -> str:
    """The text with a star for each character of its crude words, and all else as it was."""
    letters = list(text)
    for start, end in _found(text):
        letters[start:end] = ["*" if not letter.isspace() else letter for letter in letters[start:end]]
    return "".join(letters)


def _found(text: str) -> Iterator[Span]:
    crude = _crude()
    words = [match.span() for match in _WORD.finditer(text)]
    for start, end in words:
        for first, last in _readings(text[start:end]):
            if _is_word(text[start + first : start + last]):
                yield start + first, start + last
    keys = [_meant(text[start:end].strip(_SIGNS)) for start, end in words]
    for first in range(len(words)):
        for last in range(first + 2, min(first + crude.longest, len(words)) + 1):
            if tuple(keys[first:last]) in crude.phrases:
                yield words[first][0], words[last - 1][1]
    for match in _SPACED_OUT.finditer(text):
        if _is_word(match[0][::2]):
            yield match.span()


def _readings(word: str) -> Iterator[Span]:
    """Parts that may be the word meant: all of it, without signs or digits around it, and its runs of letters."""
    yield 0, len(word)
    runs = [match.span() for match in _LETTERS.finditer(word)]
    if runs in ([], [(0, len(word))]):
        return
    yield from runs
    starts = {0, len(word) - len(word.lstrip(_SIGNS)), runs[0][0]}
    ends = {len(word), len(word.rstrip("!|+")), len(word.rstrip(_SIGNS)), runs[-1][1]}
    yield from ((start, end) for start in starts for end in ends if start < end)


@lru_cache(maxsize=4096)
def _is_word(word: str) -> bool:
    crude = _crude()
    key = _meant(word)
    if word.isascii() and word.isalpha() and word in (word.lower(), word.upper(), word.capitalize()):
        words = crude.words
    else:  # tittles is no disguise; titt1es, titties with a foreign i, and TITTlES are
        words, key = crude.disguised, key.translate(_I_IS_L)
    return key in words or (key.endswith("s") and key[:-1] in words)


def _meant(word: str) -> str:
    plain = bare("".join(small(letter) for letter in word))
    # A number is a number: 455 spells nothing.
    return plain if plain.isdigit() else plain.translate(_MEANT)


@cache
def _crude() -> _Crude:
    listed = [
        tuple(_meant(match[0]) for match in _WORD.finditer(entry))
        for entry in lexicon.words(lexicon.editions()[-1], "crude")
    ]
    words = [entry[0] for entry in listed if len(entry) == 1]
    return _Crude(
        words=frozenset(words),
        disguised=frozenset(word.translate(_I_IS_L) for word in words),
        phrases=frozenset(entry for entry in listed if len(entry) > 1),
        longest=max(len(entry) for entry in listed),
    )

"""Which word a simulated player guesses next: a lucky one knows more than the others, and some slip."""

from collections.abc import Sequence
from typing import Any

from libs.runtime import ids

LUCK = (0.0, 0.02, 0.15, 0.3, 0.35, 0.35)
"""The chance to find a word that is known to the load, at each guess: about four of five games are solved."""


def chance(share: float) -> bool:
    """True so often, 0 to 1."""
    return ids.between(0, 1) < share


def next_word(words: Sequence[str], rows: Sequence[Any], secret: str | None) -> str:
    """The next guess after these rows; `secret` is what there is to find, if the load knows it."""
    if secret is not None and chance(LUCK[min(len(rows), len(LUCK) - 1)]):
        return secret
    return ids.one_of(words)


def slip() -> str:
    """Five letters that are no word."""
    return "".join(ids.one_of("bcdfghjklmnpqrstvwxz") for _ in range(5))

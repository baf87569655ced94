"""Guesses at one five-letter word, as the games with six of them share them."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from libs.core.facts import Moved
from libs.core.marks import SOLVED
from libs.core.messages import PlayerId

GUESSES = 6
"""How many a player has."""


def solved(rows: Sequence[str]) -> bool:
    """Does a player with these rows of marks know the word?"""
    return bool(rows) and rows[-1] == SOLVED


def finished(rows: Sequence[str]) -> bool:
    """Has a player with these rows of marks nothing left to do?"""
    return solved(rows) or len(rows) == GUESSES


def moved(player: PlayerId, marks: str, number: int) -> Moved:
    """What a guess with these marks, the player's `number`-th, means in the words that all games share."""
    found = marks == SOLVED
    return Moved(player=player, number=number, solved=found, finished=found or number == GUESSES)


class Guesser(Struct, frozen=True, kw_only=True):
    """A player's guesses; each has its `marks`."""

    guesses: tuple[Any, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """The marks of the guesses."""
        return tuple(guess.marks for guess in self.guesses)

    @property
    def solved(self) -> bool:
        """Was the word found?"""
        return bool(self.guesses) and self.guesses[-1].marks == SOLVED

    @property
    def finished(self) -> bool:
        """Solved, or all guesses used."""
        return self.solved or len(self.guesses) == GUESSES

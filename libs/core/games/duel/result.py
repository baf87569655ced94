"""Who has won: only solving counts, then the number of guesses."""

from collections.abc import Sequence

from libs.core.facts import Outcome
from libs.core.games.guesses import solved


def outcomes(first: Sequence[str], second: Sequence[str]) -> tuple[Outcome, Outcome]:
    """What the end of the game means for either player, from the rows of marks of their guesses."""
    if not first and not second:
        return "not_counted", "not_counted"
    mine, theirs = solved(first), solved(second)
    if not mine and not theirs:
        return "none", "none"
    if mine and theirs and len(first) == len(second):
        return "draw", "draw"
    if mine and (not theirs or len(first) < len(second)):
        return "win", "loss"
    return "loss", "win"

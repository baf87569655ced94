"""What players do how often."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from libs.runtime import ids
from services.cli.load import duels, solos
from services.cli.load.acts import Script
from services.cli.load.player import Player

Mix: TypeAlias = Mapping[str, float]
"""Weights by the names of `DOINGS`; what is not named is not done."""

DOINGS: Mapping[str, Callable[[Player], Script[None]]] = {
    "duel": duels.duel,
    "daily": solos.daily,
    "boards": solos.boards,
    "practice": solos.practice,
    "browse": solos.browse,
}

USUAL: Mix = {"duel": 6, "daily": 2, "boards": 2, "practice": 1, "browse": 2}
GAMES: Mix = {"duel": 4, "daily": 1}
"""What the log takes part in, and nothing else."""


def read(text: str) -> Mix:
    """A mix from text such as `duel=6,daily=2`. Raises `ValueError`."""
    found = {}
    for part in text.split(","):
        name, _, weight = part.partition("=")
        if name not in DOINGS:
            raise ValueError(f"{name or 'nothing'} is none of {', '.join(DOINGS)}")
        try:
            found[name] = float(weight or 1)
        except ValueError:
            raise ValueError(f"{weight} is no weight") from None
        if not 0 <= found[name] < float("inf"):
            raise ValueError(f"{weight} is no weight")
    if not sum(found.values()):
        raise ValueError("nothing is to be done")
    return found


def write(mix: Mix) -> str:
    """The text that `read` reads."""
    return ",".join(f"{name}={weight:g}" for name, weight in mix.items())


def pick(mix: Mix) -> Callable[[Player], Script[None]]:
    """What to do next."""
    point = ids.between(0, sum(mix.values()))
    for name, weight in mix.items():
        point -= weight
        if point <= 0 and weight:
            return DOINGS[name]
    return DOINGS[next(name for name, weight in mix.items() if weight)]

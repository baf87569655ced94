"""What is kept for one game alone, over all games: the day of a pair, the request key that made a game."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from libs.core import subjects
from libs.core.decider import Decider
from libs.core.decoding import reader
from libs.core.messages import GameId


class Claim(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who has it. `digest` is what was asked, where a request key is claimed."""

    game: GameId
    kind: str
    digest: str = ""


_claim = reader(Claim)


def read(data: bytes) -> Claim:
    """A claim as it is stored. Raises `msgspec.DecodeError`."""
    claim: Claim = _claim(data)
    return claim


def subject_of_key(command: str) -> str:
    """Where the id of a command that makes a game is claimed."""
    return subjects.claim(f"key:{command}")


def subjects_of(game: Decider[Any], events: Iterable[Any]) -> list[str]:
    """Where the claims of these events are."""
    return [subjects.claim(key) for event in events for key in game.claims(event)]

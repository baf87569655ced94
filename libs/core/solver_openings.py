"""The fifty best openings of an edition: worked out when its list is made, shipped with it, never on request."""

from functools import cache
from importlib.resources import files

from msgspec import Struct, json

from libs.core.board import Candidate

KIND = "enable5"
"""The list of the words that can be the answer of a board."""

COUNT = 50
FILE = "openings.json"


class Openings(Struct, frozen=True):
    """The openings of a list, best first; `words` is the sha256 of the list that they were worked out for."""

    words: str
    openings: tuple[Candidate, ...]


@cache
def openings(edition: str) -> Openings:
    """What is shipped with this edition. Raises `LookupError` if nothing is."""
    try:
        return decode(files("libs.core").joinpath("words", edition, FILE).read_bytes())
    except FileNotFoundError:
        raise LookupError(edition) from None


def encode(found: Openings) -> bytes:
    """The content of the file."""
    return json.format(json.encode(found), indent=2) + b"\n"


def decode(content: bytes) -> Openings:
    """Reads what `encode` wrote."""
    return json.decode(content, type=Openings)

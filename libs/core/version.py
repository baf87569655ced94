"""The version of what releases write and ask, by which what is newer is told from what is damaged."""

import msgspec
from msgspec import Struct

from libs.core import decoding

VERSION = 1
"""Raised by each release that writes or asks something which the one before it cannot read (docs/upgrades.md)."""


class _Written(Struct, frozen=True):
    v: int = 1


_written = decoding.reader(_Written)


def is_newer(data: bytes) -> bool:
    """Does this JSON say that a release of a higher version wrote it? Ask only of what could not be read."""
    try:
        written: _Written = _written(data)
    except msgspec.DecodeError:
        return False
    return written.v > VERSION

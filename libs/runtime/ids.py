"""The only file that draws chance: ids, seeds and tokens."""

import random
import secrets
from collections.abc import Sequence

from uuid_utils import uuid7


def new_id() -> str:
    """A UUID of version 7 as text: in order of their making, to the millisecond."""
    return str(uuid7())


def seed() -> bytes:
    """32 random bytes from the system."""
    return secrets.token_bytes(32)


def token() -> str:
    """256 random bits as 43 characters that fit into an address."""
    return secrets.token_urlsafe(32)


def nonce(size: int) -> bytes:
    """This many random bytes: a number that is used once."""
    return secrets.token_bytes(size)


def one_of(words: Sequence[str]) -> str:
    """One of these words, each as likely as any other."""
    return secrets.choice(words)


def between(least: float, most: float) -> float:
    """Any number from `least` to `most`: so that those who wait for the same thing do not come back at once."""
    return random.uniform(least, most)  # noqa: S311  # nothing secret hangs on it


def number() -> int:
    """A number of 32 random bits, to begin `chances` with."""
    return secrets.randbits(32)


def chances(seed: int) -> random.Random:
    """Chance that can be had again: the same for the same seed."""
    return random.Random(seed)  # noqa: S311  # nothing secret hangs on it

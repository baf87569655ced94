"""Commitments: a player's secret word is fixed before the game, and can be checked after it.

SHA-256 over a random 16-byte salt followed by the word in lower-case ASCII (the Duel's rule on fairness).
"""

from hashlib import sha256


def salt_from(seed: bytes, purpose: str) -> str:
    """A salt of 16 bytes, as 32 hexadecimal digits, drawn from a seed; another purpose gives another salt."""
    return sha256(seed + b"\0" + purpose.encode()).hexdigest()[:32]


def commit_to(word: str, salt: str) -> str:
    """The commitment, as 64 hexadecimal digits, to a lower-case word with a salt in hexadecimal digits."""
    return sha256(bytes.fromhex(salt) + word.encode("ascii")).hexdigest()


def holds(commitment: str, word: str, salt: str) -> bool:
    """Was this the word, and this the salt, that the commitment was made for?"""
    return commit_to(word, salt) == commitment

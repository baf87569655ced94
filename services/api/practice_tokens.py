"""Practice tokens: a whole game, sealed so that who carries it can neither read nor change it.

Each has 96 characters whatever it holds, so that its length tells nothing: 1 byte for the version of this form, 12 of
nonce, 43 of sealed content, 16 that prove it genuine.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from struct import Struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from libs.core import lexicon
from libs.core.marks import LENGTH
from libs.core.practice import Practice
from libs.runtime import ids
from services.api.problems import Problem

_TOKEN = re.compile(r"[A-Za-z0-9_-]{96}")
_VERSION = b"\1"
_NONCE = 12  # bytes
_CONTENT = Struct("8s5s30s")  # the edition, the secret, the guesses one after the other; NUL where nothing is


class PracticeTokens:
    """Seals games and opens them again. Of several secret keys the first seals, and any opens: so keys can change."""

    def __init__(self, *secret_keys: str) -> None:
        self._keys = [AESGCMSIV(_derived(key)) for key in secret_keys]

    def seal(self, game: Practice) -> str:
        """The token of a game; each time another one."""
        content = _CONTENT.pack(game.words.encode(), game.secret.encode(), "".join(game.guesses).encode())
        nonce = ids.nonce(_NONCE)
        return urlsafe_b64encode(_VERSION + nonce + self._keys[0].encrypt(nonce, content, _VERSION)).decode()

    def open(self, token: str) -> Practice:
        """The game of a token that we have sealed. Raises `Problem` (practice_token) for anything else."""
        raw = urlsafe_b64decode(token) if _TOKEN.fullmatch(token) else b""
        if raw[:1] != _VERSION:
            raise Problem("practice_token")
        content = _CONTENT.unpack(self._opened(raw[1 : 1 + _NONCE], raw[1 + _NONCE :]))
        words, secret, guesses = (field.rstrip(b"\0").decode() for field in content)
        if words not in lexicon.editions():
            raise Problem("practice_token")  # of a newer release, while this copy still runs the older one
        return Practice(
            words=words,
            secret=secret,
            guesses=tuple(guesses[at : at + LENGTH] for at in range(0, len(guesses), LENGTH)),
        )

    def _opened(self, nonce: bytes, sealed: bytes) -> bytes:
        for key in self._keys:
            try:
                return key.decrypt(nonce, sealed, _VERSION)
            except InvalidTag:
                continue
        raise Problem("practice_token")


def _derived(secret_key: str) -> bytes:
    """A key for this use alone."""
    return HKDF(SHA256(), length=32, salt=None, info=b"wordyard.practice").derive(secret_key.encode())

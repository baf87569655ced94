"""The keys of the provider: kept, and fetched again when a token names one that is not there."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import JWKRegistry, KeySet
from joserfc.jws import JWSRegistry
from joserfc.jwt import Token

from services.api.limits import Windows

LOOKS = "6/minute"  # for new keys, however many tokens name one that is not there
LONGEST_TOKEN = 16 * 1024  # characters


class Keys:
    """The public keys that were there when we looked last."""

    def __init__(self, fetch: Callable[[str], Awaitable[dict[str, Any]]]) -> None:
        self._fetch = fetch
        self._keys = KeySet([])
        self._looks = Windows(LOOKS)

    async def read(self, url: str, token: str, algorithms: Sequence[str]) -> Token:
        """A token signed with one of the keys at this address.

        Raises `JoseError`, `ValueError`, `Problem` (rate_limited) or what fetching raises.

        Keys change: a token that fits none of those we have is tried again with those that are there now.
        """
        if len(token) > LONGEST_TOKEN:
            raise ValueError("too long")
        registry = JWSRegistry(algorithms=list(algorithms), strict_check_header=False)
        try:
            return jwt.decode(token, self._keys, registry=registry)
        except (InvalidKeyIdError, BadSignatureError):
            self._looks.hit(url)
            self._keys = _usable(await self._fetch(url))
        return jwt.decode(token, self._keys, registry=registry)


def _usable(told: dict[str, Any]) -> KeySet:
    """The keys for signatures, of the kinds that we know."""
    keys = []
    for key in told.get("keys", []):
        if isinstance(key, dict) and key.get("use", "sig") == "sig" and key.get("kty") != "oct":
            try:
                keys.append(JWKRegistry.import_key(key))
            except (JoseError, ValueError, TypeError):
                continue  # a kind of key that is newer than we are
    return KeySet(keys)

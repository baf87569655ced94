"""What a token may be used for: to read, to play, or for the account itself. A cookie is good for everything."""

from typing import Literal, TypeAlias

Scope: TypeAlias = Literal["read", "play", "account"]
SCOPES: tuple[Scope, ...] = ("read", "play", "account")

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "WS"})
_ME, _OUT = "/api/v1/me", "/api/v1/session"
_ACCOUNT = (f"{_ME}/", "/api/v1/blocks", "/api/v1/sign-in/", "/api/v1/desk/")


def needed(method: str, path: str) -> Scope | None:
    """The scope that a request needs; a token that signs itself out needs none.

    Whatever is about the person and not about games is the account's, to look at it too.
    """
    if path == _OUT:
        return None
    if path.startswith(_ACCOUNT) or (path == _ME and method not in SAFE):
        return "account"
    return "read" if method in SAFE else "play"


def packed(scopes: tuple[Scope, ...]) -> int:
    """Scopes as the bits of a number: 1 to read, 2 to play, 4 for the account."""
    return sum(1 << bit for bit, scope in enumerate(SCOPES) if scope in scopes)


def unpacked(bits: int) -> tuple[Scope, ...]:
    """The scopes of these bits."""
    return tuple(scope for bit, scope in enumerate(SCOPES) if bits >> bit & 1)

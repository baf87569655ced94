"""What somebody who signs in has proven."""

from msgspec import Struct


class Identity(Struct, frozen=True):
    """Somebody at a provider."""

    issuer: str
    subject: str


class Proven(Struct, frozen=True, kw_only=True):
    """An address, an identity, or both."""

    email: str | None = None
    identity: Identity | None = None

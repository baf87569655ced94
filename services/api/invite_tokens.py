"""Invite links: the game's id and a keyed hash of it, so that a link needs no table and cannot be made up."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import compare_digest
from hmac import digest as hmac
from uuid import UUID

from libs.core.messages import GameId
from libs.core.refusals import Reason, Refused

_ID = 16  # bytes; as many are taken of the hash


def token_of(game: GameId, secret_key: str) -> str:
    """The 43 characters that lead to this game's invite."""
    id_ = UUID(game).bytes
    return urlsafe_b64encode(id_ + _hash(id_, secret_key)).rstrip(b"=").decode()


def game_of(token: str, secret_key: str) -> GameId:
    """The game of an invite that we have made. Raises `Refused` (unknown_invite)."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii") + b"=")
    except ValueError:
        raise Refused(Reason.UNKNOWN_INVITE) from None
    id_, given = raw[:_ID], raw[_ID:]
    whole = len(raw) == 2 * _ID and compare_digest(given, _hash(id_, secret_key))
    if not whole or token_of(str(UUID(bytes=id_)), secret_key) != token:  # the last character has bits to spare
        raise Refused(Reason.UNKNOWN_INVITE)
    return str(UUID(bytes=id_))


def _hash(id_: bytes, secret_key: str) -> bytes:
    return hmac(secret_key.encode(), b"invite" + id_, sha256)[:_ID]

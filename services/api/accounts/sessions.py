"""Sessions: signed, so that they are checked without a database. Cookies for browsers, tokens for programs."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from uuid import UUID

import itsdangerous
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from libs.core.calls import Person
from libs.core.messages import PlayerId
from libs.runtime.settings import BadSetting, Settings
from services.api.accounts.scopes import SCOPES, Scope, packed, unpacked

COOKIE = "wordyard"
LIFETIME = timedelta(days=180)
"""A cookie that was not used for so long is worth nothing, and a guest's token that was issued so long ago."""

TOKEN_LIFETIME = timedelta(days=365)
"""An account's token that was made so long ago is worth nothing."""

REFRESHED = timedelta(days=1)
"""A cookie older than this is replaced by a new one of the same session."""

SHORTEST_KEY = 32
MOST_ALIASES = 40  # a cookie has 4 KiB at most
LONGEST = 2048  # characters of a cookie or token: what is longer is none of ours
TOKEN_PREFIX = "wy_"  # noqa: S105 - so that a token is known for one wherever it turns up


class Session(Struct, frozen=True, kw_only=True):
    """Who has signed in, or plays as a guest. `aliases` are the guests that this account has been."""

    id: str
    player: PlayerId
    guest: bool
    issued: datetime  # UTC, whole seconds
    aliases: tuple[PlayerId, ...] = ()
    scopes: tuple[Scope, ...] = SCOPES

    @property
    def person(self) -> Person:
        """Who asks, in the words of the game service."""
        return Person(id=self.player, guest=self.guest, aliases=self.aliases)

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """Every id under which this player may sit at a game."""
        return (self.player, *self.aliases)


class _Packed(Struct, frozen=True, array_like=True):
    id: UUID
    player: UUID
    guest: bool
    issued: int
    aliases: list[UUID]
    scopes: int = packed(SCOPES)  # what was signed before there were scopes is good for everything


_encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
_decoder = msgspec.msgpack.Decoder(_Packed)


class Signer:
    """Signs and checks with the secret key. Raises `BadSetting` for a key that is too short."""

    def __init__(self, settings: Settings) -> None:
        if len(settings.secret_key) < SHORTEST_KEY:
            raise BadSetting(f"WORDYARD_SECRET_KEY: {SHORTEST_KEY} characters or more are needed")
        self._key = settings.secret_key
        self._secure = "; Secure" if settings.secure else ""
        self._cookies, self._tokens, self._pages = (self._signer(use) for use in ("cookie", "token", "page"))
        self.read_cookie, self._read_token = _reader(self._cookies), _reader(self._tokens)
        self.csrf: Callable[[str], str] = lru_cache(8192)(lambda session: self._pages.get_signature(session).decode())

    def _signer(self, use: str) -> itsdangerous.Signer:
        return itsdangerous.Signer(self._key, salt=f"wordyard.{use}", key_derivation="hmac", digest_method=sha256)

    def cookie(self, session: Session) -> str:
        """The value of a Set-Cookie header that begins or goes on with this session."""
        value = self._cookies.sign(_pack(session)).decode()
        return self.set_cookie(COOKIE, value, int(LIFETIME.total_seconds()))

    def renewed(self, session: Session, now: datetime) -> str:
        """The same, as if the session had begun now."""
        return self.cookie(replace(session, issued=now.replace(microsecond=0)))

    def no_cookie(self) -> str:
        """The value of a Set-Cookie header that forgets the session."""
        return self.set_cookie(COOKIE, "", 0)

    def set_cookie(self, name: str, value: str, age: int, path: str = "/") -> str:
        """The value of a Set-Cookie header for the server alone; `age` in seconds, 0 to forget it."""
        return f"{name}={value}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax{self._secure}"

    def token(self, session: Session) -> str:
        """A bearer token; always the same for the same session."""
        return TOKEN_PREFIX + self._tokens.sign(_pack(session)).decode()

    def read_token(self, text: str) -> Session | None:
        """The session of a bearer token that we have signed."""
        return self._read_token(text[len(TOKEN_PREFIX) :]) if text.startswith(TOKEN_PREFIX) else None

    def is_csrf(self, session: str, given: str) -> bool:
        """Is this the value that only our own pages know?"""
        return compare_digest(self.csrf(session).encode(), given.encode())

    def seal(self, use: str, content: bytes) -> str:
        """Something that a browser may keep and read, and not change."""
        return self._signer(use).sign(urlsafe_b64encode(content).rstrip(b"=")).decode()

    def unseal(self, use: str, text: str) -> bytes | None:
        """What was sealed for this use; none if it was not."""
        try:
            content = _unsigned(self._signer(use), text)
            return urlsafe_b64decode(content + b"=" * (-len(content) % 4))
        except (itsdangerous.BadData, ValueError):
            return None

    def digest(self, content: bytes) -> bytes:
        """What is kept of a request's content: it says whether another one is the same, and nothing else."""
        return sha256(self._key.encode() + b"\0request\0" + content).digest()


def _reader(signer: itsdangerous.Signer) -> Callable[[str], Session | None]:
    """Reads what this signer has signed, and remembers it; a text that is too long is refused unread, and not kept."""
    read = lru_cache(8192)(lambda text: _read(signer, text))
    return lambda text: read(text) if len(text) <= LONGEST else None


def _unsigned(signer: itsdangerous.Signer, text: str) -> bytes:
    """What was signed, if it is signed to the letter. Raises `itsdangerous.BadSignature`."""
    value = signer.unsign(text.encode())
    if signer.sign(value) != text.encode():  # base64 has several spellings of the same signature
        raise itsdangerous.BadSignature("spelled otherwise")
    return value


def _pack(session: Session) -> bytes:
    packing = _Packed(
        id=UUID(session.id),
        player=UUID(session.player),
        guest=session.guest,
        issued=int(session.issued.timestamp()),
        aliases=[UUID(alias) for alias in session.aliases[:MOST_ALIASES]],
        scopes=packed(session.scopes),
    )
    return urlsafe_b64encode(_encoder.encode(packing)).rstrip(b"=")


def _read(signer: itsdangerous.Signer, text: str) -> Session | None:
    try:
        payload = _unsigned(signer, text)
        read = _decoder.decode(urlsafe_b64decode(payload + b"=" * (-len(payload) % 4)))
    except (itsdangerous.BadData, ValueError, msgspec.DecodeError):
        return None
    return Session(
        id=str(read.id),
        player=str(read.player),
        guest=read.guest,
        issued=datetime.fromtimestamp(read.issued, UTC),
        aliases=tuple(str(alias) for alias in read.aliases),
        scopes=unpacked(read.scopes),
    )

"""The key by which push services know us (VAPID, RFC 8292): a P-256 key as 43 characters of base64url."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from libs.runtime.settings import BadSetting

_SIZE = 32  # bytes


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """The key that such a text holds. Raises `BadSetting` for any other text."""
    try:
        raw = from_base64url(text)
        if len(raw) != _SIZE:
            raise ValueError
        return ec.derive_private_key(int.from_bytes(raw), ec.SECP256R1())
    except ValueError:
        raise BadSetting("WORDYARD_PUSH_KEY: 43 characters of base64url, a private key of VAPID") from None


def public_text(key: ec.EllipticCurvePrivateKey) -> str:
    """Its public half, as browsers take it: 65 bytes in base64url."""
    return base64url(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def base64url(raw: bytes) -> str:
    """Bytes in base64url, without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of such a text. Raises `ValueError`."""
    return urlsafe_b64decode(text.rstrip("=").encode("ascii") + b"==")

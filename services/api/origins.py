"""Does a request come from one of our own pages? Browsers say so; programs need not."""

from collections.abc import Mapping
from urllib.parse import urlsplit


def is_ours(headers: Mapping[bytes, bytes], address: str) -> bool:
    """Is the Origin, if one is given, the host that was asked, or our public address?"""
    origin = headers.get(b"origin")
    if origin is None:
        return True
    text = origin.decode("latin-1").lower()
    if text == address.lower():
        return True
    host = headers.get(b"host", b"").decode("latin-1").lower()
    return bool(host) and _host(text) == host


def _host(origin: str) -> str:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc if parts.scheme in ("http", "https") else ""


def is_same_origin(headers: Mapping[bytes, bytes], address: str) -> bool:
    """The same for a request that changes something: without an Origin, what Sec-Fetch-Site says counts."""
    if b"origin" in headers:
        return is_ours(headers, address)
    return headers.get(b"sec-fetch-site", b"none") in (b"same-origin", b"none")

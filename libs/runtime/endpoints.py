"""Addresses that strangers give us and that we then send to: none of them may lead into our own network."""

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

LONGEST = 1000  # characters
_PORT = 443
_INSIDE = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".intranet", ".corp")
_PUBLIC = ipaddress.IPv6Network("2000::/3")  # all else is local, or stands for an address of the old kind
_PROTOCOLS = ipaddress.IPv4Network("192.0.0.0/24")  # of use between devices of one network


class Inside(ValueError):
    """An address that we do not send to; does not say which."""


def parsed(endpoint: str, allowed: Sequence[str] = ()) -> SplitResult:
    """The parts of an https address of a named host on the usual port, or one whose origin is allowed.

    Where the name leads is not looked up. Raises `Inside`.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Inside("no address") from None
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise Inside("no address")
    if origin(parts) in allowed:
        return parts
    if parts.scheme != "https" or parts.username is not None or port is not None or parts.fragment:
        raise Inside("not https")
    if "." not in host or host.endswith((".", *_INSIDE)) or _is_number(host):
        raise Inside("not a public name")
    return parts


def origin(parts: SplitResult) -> str:
    """Scheme, host and port of an address."""
    return f"{parts.scheme}://{parts.netloc}"


def address_of(host: str) -> str:
    """A network address of this host, looked up now; all that it has must be public. Raises `Inside` or `OSError`."""
    found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, _PORT, type=socket.SOCK_STREAM)}
    if not found or not all(_is_public(each) for each in found):
        raise Inside("not a public address")
    return min(found, key=lambda each: (":" in each, each))


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        return address in _PUBLIC and address.is_global and not (address.sixtofour or address.teredo)
    return address.is_global and not address.is_multicast and address not in _PROTOCOLS


def _is_number(host: str) -> bool:
    """Is it a network address, or one of the many spellings of one?"""
    last = host.rpartition(".")[2]
    return ":" in host or last.isdigit() or last.lower().startswith("0x")

"""The language of a page: the one chosen by hand, else the first that the browser asks for and that we have."""

import re
from collections.abc import Mapping
from functools import lru_cache

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "fi", "tr")
VARY = ("Accept-Language", "Cookie")
LONGEST = 256  # bytes that are read of what a browser asks for: all of it is kept

_ALSO = {"no": "nb", "nn": "nb"}
_CHOSEN = re.compile(rb"(?:^|;)\s*wordyard_language=([a-z]{2})(?:;|\s|$)")
_RANGE = re.compile(r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")


def language(headers: Mapping[bytes, bytes]) -> str:
    """The language for whoever sent these headers; English if they name none of ours."""
    chosen = _CHOSEN.search(headers.get(b"cookie", b""))
    if chosen and chosen[1].decode() in LANGUAGES:
        return chosen[1].decode()
    return _preferred(headers.get(b"accept-language", b"")[:LONGEST])


@lru_cache(1024)
def _preferred(header: bytes) -> str:
    wishes = []
    for wish in header.decode("latin-1").split(","):
        found = _RANGE.fullmatch(wish)
        if found and (weight := float(found[2] or 1)) > 0:
            tongue = found[1].lower()
            wishes.append((-weight, _ALSO.get(tongue, tongue)))
    wishes.sort(key=lambda wish: wish[0])
    return next((tongue for _, tongue in wishes if tongue in LANGUAGES), LANGUAGES[0])

"""What device a session began on, in plain words: of all that a browser says about itself no more is kept."""

import re

from msgspec import Struct

_BROWSERS = (
    ("Edge", "Edg|EdgA|EdgiOS"),
    ("Opera", "OPR|OPT"),
    ("Samsung Internet", "SamsungBrowser"),
    ("Firefox", "Firefox|FxiOS"),
    ("Chrome", "Chrome|HeadlessChrome|Chromium|CriOS"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("ChromeOS", "CrOS"),
    ("Windows", "Windows"),
    ("macOS", "Macintosh"),
    ("Linux", "Linux|X11"),
)
"""In this order, for most of them also claim to be some of those that follow."""


class Device(Struct, frozen=True):
    """A browser and a system; null if they are none that we know, as programs are."""

    browser: str | None = None
    system: str | None = None


def device(user_agent: bytes) -> Device:
    """The device of who sends this header."""
    text = user_agent.decode("latin-1")
    if not text.startswith("Mozilla/"):
        return Device()
    return Device(_first(_BROWSERS, text), _first(_SYSTEMS, text))


def _first(kinds: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((name for name, tokens in kinds if re.search(rf"\b(?:{tokens})\b", text)), None)

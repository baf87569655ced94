"""Headers that every answer has: what a browser may do with it, and the service's time."""

from collections.abc import Callable
from email.utils import format_datetime

from libs.runtime.clock import Clock
from libs.runtime.settings import Settings

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
UNUSED = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
"""What no page of ours asks a browser for, nor any that found its way into one."""

TWO_YEARS = 63_072_000  # seconds


def fixed(settings: Settings) -> list[tuple[bytes, bytes]]:
    """The headers that are always the same."""
    headers = {
        "content-security-policy": CONTENT_SECURITY_POLICY,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": ", ".join(f"{feature}=()" for feature in UNUSED),
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
    }
    if settings.secure:
        headers["strict-transport-security"] = f"max-age={TWO_YEARS}"
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def date(now: Clock) -> Callable[[], tuple[bytes, bytes]]:
    """A function that gives the Date header by this clock, which a page counts down by."""
    last = (0, (b"date", b""))

    def current() -> tuple[bytes, bytes]:
        nonlocal last
        moment = now()
        second = int(moment.timestamp())
        if second != last[0]:
            last = (second, (b"date", format_datetime(moment, usegmt=True).encode()))
        return last[1]

    return current

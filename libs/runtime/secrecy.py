"""What never reaches a log line: words, secrets, salts, tokens, addresses, chat.

A second line of defence: whoever logs passes ids and codes only. An exception is told by its type, the first line of
its message with addresses masked, and where it was raised: databases and mail servers repeat whole rows in the rest.
"""

import re
import sys
from collections.abc import MutableMapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

SECRET = frozenset(
    {
        "authorization",
        "body",
        "cookie",
        "cookies",
        "daily_key",
        "email",
        "endpoint",
        "guess",
        "letters",
        "password",
        "push_key",
        "recipient",
        "salt",
        "salts",
        "secret",
        "secret_key",
        "secrets",
        "text",
        "token",
        "unsubscribe",
        "word",
    }
)
"""Keys whose values are dropped wherever they stand."""

_ADDRESS = re.compile(r"[^\s'\"<>(){},:;]+@[^\s'\"<>(){},:;]+")
_ROOT = str(Path(__file__).parents[2]) + "/"


def mask(text: str) -> str:
    """The text with e-mail addresses, and user and password in URLs, made unreadable."""
    return _ADDRESS.sub("…@…", text) if "@" in text else text


def drop_secrets(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: the event without the values of secret keys, at any depth of mappings."""
    for key in SECRET.intersection(event):
        del event[key]
    for key, value in event.items():
        if isinstance(value, dict):
            event[key] = drop_secrets(None, "", dict(value))
    return event


def shorten_exception(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: `exc_info` becomes `error`, `message` and `where` (innermost frame last)."""
    given = event.pop("exc_info", None)
    if not given:
        return event
    error = given if isinstance(given, BaseException) else given[1] if isinstance(given, tuple) else sys.exc_info()[1]
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if error is not None:
        event["error"] = type(error).__name__
        event["message"] = mask(next(iter(str(error).splitlines()), ""))[:200]
        event["where"] = [
            f"{frame.filename.removeprefix(_ROOT)}:{frame.lineno} {frame.name}"
            for frame in extract_tb(error.__traceback__)[-12:]
        ]
    return event

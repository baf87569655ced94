"""What is refused in a body that is good JSON: a name twice in one object, and NUL, which PostgreSQL does not take."""

import json
from typing import Any

from services.api.problems import Problem


def require_plain(body: bytes) -> None:
    """Check a body that was decoded already, so it is neither too deep nor no JSON. Raises `Problem` (malformed)."""
    if body.count(b":") > 1:
        json.loads(body, object_pairs_hook=_require_once)
    if b"\\u0000" in body and _has_nul(json.loads(body)):
        raise Problem("malformed", detail="A text cannot hold the character NUL.", where="$")


def _require_once(pairs: list[tuple[str, Any]]) -> None:
    """Each name once: parsers differ in which of two they believe."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise Problem("malformed", detail="A name stands twice in one object.", where="$")


def _has_nul(value: Any) -> bool:
    match value:
        case str():
            return "\0" in value
        case dict():
            return any(map(_has_nul, (*value, *value.values())))
        case list():
            return any(map(_has_nul, value))
        case _:
            return False

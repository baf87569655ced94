"""What is refused in a body that is good JSON: a name twice in one object, and NUL, which PostgreSQL does not take."""

import json
from typing import Any

from services.api.problems import Problem


def require_plain(body: bytes) -> None:
    """Check a body that was decoded already, so it is neither too deep nor no JSON. Raises `Problem` (malformed)."""
    if body.count(b":") > 1:
        json.loads(body, object_pairs_hook=_require_once)
    if b"\\u0000" in body and (where := _nul_in(json.loads(body), "$")) is not None:
        raise Problem("malformed", detail="A text cannot hold the character NUL.", where=where)


def _require_once(pairs: list[tuple[str, Any]]) -> None:
    """Each name once: parsers differ in which of two they believe."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise Problem("malformed", detail="A name stands twice in one object.", where="$")


def _nul_in(value: Any, where: str) -> str | None:
    """Where the first text with a NUL is, as a path from `where`; a name counts as its object."""
    match value:
        case str():
            return where if "\0" in value else None
        case dict():
            if any("\0" in name for name in value):
                return where
            parts = [(f"{where}.{name}", part) for name, part in value.items()]
        case list():
            parts = [(f"{where}[{number}]", part) for number, part in enumerate(value)]
        case _:
            return None
    return next((found for path, part in parts if (found := _nul_in(part, path)) is not None), None)

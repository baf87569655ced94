"""Views as plain values: without the names that the edge fills in, and where two of them differ."""

from collections.abc import Iterable
from typing import Any

import msgspec

SHOWN = 200  # characters of a value


def of_struct(view: Any) -> Any:
    """A view as it looks in JSON."""
    return msgspec.json.decode(msgspec.json.encode(view))


def nameless(value: Any) -> Any:
    """The same value with the names of all players null."""
    match value:
        case {"id": _, "name": _, **rest} if not rest:
            return {**value, "name": None}
        case dict():
            return {name: nameless(part) for name, part in value.items()}
        case list():
            return [nameless(part) for part in value]
        case _:
            return value


def differences(shown: Any, right: Any, where: str = "") -> Iterable[str]:
    """Where two values differ, as deep as they can be compared; one sentence each."""
    if isinstance(shown, dict) and isinstance(right, dict):
        for name in {**right, **shown}:
            yield from differences(shown.get(name), right.get(name), f"{where}.{name}" if where else name)
    elif shown != right:
        yield f"{where or 'it'} is {_text(shown)}, and must be {_text(right)}"


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:SHOWN]

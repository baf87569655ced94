"""Reading JSON that others wrote, so that nothing they can write is more than an error."""

from collections.abc import Callable
from typing import Any

import msgspec


def reader(kind: Any) -> Callable[[bytes], Any]:
    """A function that reads values of this type. It raises `msgspec.DecodeError`, for what is nested too deeply too."""
    decode = msgspec.json.Decoder(kind).decode

    def read(data: bytes) -> Any:
        try:
            return decode(data)
        except RecursionError:
            raise msgspec.DecodeError("nested too deeply") from None

    return read

"""Cursors of lists: the last row of a page, as a text that clients hand back and need not understand."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TypeVar

import msgspec
from msgspec import Struct

from services.api.problems import Problem

Last = TypeVar("Last", bound=Struct)

_encode = msgspec.msgpack.Encoder(uuid_format="bytes").encode


def text_of(last: Struct) -> str:
    """The cursor that leads on after this row."""
    return urlsafe_b64encode(_encode(last)).rstrip(b"=").decode()


def read(text: str, kind: type[Last]) -> Last:
    """The row that a cursor names. Raises `Problem` (malformed) for what is none."""
    try:
        return msgspec.msgpack.decode(urlsafe_b64decode(text.encode("ascii") + b"=="), type=kind)
    except (ValueError, msgspec.MsgspecError):
        raise Problem("malformed", detail="Not a cursor.", where="cursor") from None

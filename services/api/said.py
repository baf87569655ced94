"""A chat message: as it is stored, and as a player sees it."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

import msgspec
from msgspec import Struct

from libs.core.decoding import reader
from libs.core.messages import PlayerId
from libs.core.profanity import starred
from services.api.names import Names, Player


class Said(Struct, frozen=True, kw_only=True):
    """A message as the chat keeps it."""

    id: str
    by: PlayerId
    text: str
    at: datetime
    until: datetime  # when it is forgotten


class Message(Struct, frozen=True, kw_only=True):
    """A message as a player sees it."""

    id: str
    player: Player
    text: str
    filtered: str  # the text with crude words starred
    at: datetime


encode = msgspec.json.Encoder().encode
decode = reader(Said)


@lru_cache(1024)
def _starred(text: str) -> str:
    return starred(text)


async def shown(names: Names, messages: Iterable[Said]) -> list[Message]:
    """Messages with the names of who said them."""
    messages = list(messages)
    people = await names.of({said.by for said in messages})
    return [
        Message(id=said.id, player=people[said.by], text=said.text, filtered=_starred(said.text), at=said.at)
        for said in messages
    ]

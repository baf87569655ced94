"""What tests of the desk need: who the operators are, reports, and what the log tells of a player."""

import json
from typing import Any

from libs.runtime import bus
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from tests.services.api.player import Player, duel

OLGA, OTTO = "olga@desk.example", "otto@desk.example"
WHY = {"why": "insults"}


async def told(settings: Settings, player: str) -> list[dict[str, Any]]:
    """What the log tells of a player."""
    connection = await bus.connect(settings, "test")
    try:
        records = await Log(connection).load(player)
    finally:
        await connection.close()
    return [event for record in records for event in json.loads(record.data)["events"]]


async def reported(ann: Player, bob: Player, text: str = "an unkind word") -> tuple[str, str]:
    """Bob has reported what ann said: the game and the message."""
    game = await duel(ann, bob)
    message = await ann.post(f"/games/{game}/chat", {"text": text})
    assert (await bob.send("POST", f"/games/{game}/chat/{message['id']}/report", {})).status_code == 202
    return game, message["id"]

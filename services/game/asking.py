"""From a call to a command: who asks, what, and under which name it goes into the log."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from libs.core import calls
from libs.core.calls import Person
from libs.core.decoding import reader
from libs.core.games import GAMES
from libs.core.history import Newer
from libs.core.messages import CLOCK, Asker, Command, PlayerId, command_id, digest
from libs.core.refusals import Reason, Refused
from libs.core.version import VERSION
from services.game.handle import Asked
from services.game.store import Folded

WAKE = msgspec.Raw(b'{"type":"wake"}')


@cache
def _moves(kind: str) -> Callable[[bytes], Any]:
    return reader(GAMES[kind].moves)


@cache
def wake(kind: str) -> tuple[Command, str]:
    """The clock's own command to games of this kind, and its digest."""
    command: Command = msgspec.json.decode(WAKE, type=GAMES[kind].commands)
    return command, digest(command)


def seat(players: Sequence[PlayerId], person: Person) -> Asker:
    """Whom this person plays as: the account, or the guest that it was when it took its seat."""
    if person.id not in players:
        for alias in person.aliases:
            if alias in players:
                return Asker(by=alias, guest=True, origin=person.origin)
    return Asker(by=person.id, guest=person.guest, operator=person.operator, origin=person.origin)


class Question:
    """A call that is a command. `type` is the command's tag, once that is understood."""

    def __init__(self, call: calls.Do | calls.Wake, seed: bytes, daily_key: bytes) -> None:
        self.type = ""
        self._call = call
        self._seed = seed
        self._daily_key = daily_key

    def __call__(self, folded: Folded) -> Asked:
        """What was asked, as the game stands. Raises `Refused`, or `Newer` for what a newer copy may understand."""
        asked = self._wake(folded) if isinstance(self._call, calls.Wake) else self._do(self._call, folded)
        self.type = str(asked.command.__struct_config__.tag)
        return asked

    def _wake(self, folded: Folded) -> Asked:
        (command, asked), due = wake(folded.game.kind), folded.standing.due
        key = f"wake:{due.isoformat() if due else ''}"
        asker = Asker(by=CLOCK, seed=self._seed, daily_key=self._daily_key)
        return Asked(command=command, asker=asker, id=command_id(CLOCK, key), digest=asked)

    def _do(self, call: calls.Do, folded: Folded) -> Asked:
        try:
            command: Command = _moves(folded.game.kind)(call.command)
        except msgspec.DecodeError:
            if call.v > VERSION:
                raise Newer("a command of a newer release") from None
            raise Refused(Reason.NOT_POSSIBLE) from None
        asker = replace(seat(folded.standing.players, call.by), seed=self._seed, daily_key=self._daily_key)
        makes = "game" in command.__struct_fields__
        # only such a command holds the id of its game; a repetition brings another one, and is the same question still
        asked = digest(replace(command, game="")) if makes else digest(command)
        if makes:
            command = replace(command, game=call.game)
        return Asked(command=command, asker=asker, id=command_id(asker.by, call.key), digest=asked, makes=makes)

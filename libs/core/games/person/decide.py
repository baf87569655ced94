"""When a guest becomes a part of an account."""

from collections.abc import Sequence
from datetime import datetime

from libs.core.games.person.commands import PersonCommand
from libs.core.games.person.events import GuestJoined, PersonEvent
from libs.core.games.person.state import Person
from libs.core.messages import Asker
from libs.core.refusals import Reason, Refused


def decide(person: Person, command: PersonCommand, asker: Asker, now: datetime) -> Sequence[PersonEvent]:
    """The events that follow from a command received at `now` (UTC): none for a guest who has joined before.

    Raises `Refused` (not_a_player) for anybody but the account.
    """
    if asker.guest or asker.by != (person.account or asker.by):
        raise Refused(Reason.NOT_A_PLAYER)
    if command.guest in person.guests:
        return []
    return [GuestJoined(at=now, account=asker.by, guest=command.guest)]

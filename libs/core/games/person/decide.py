"""When a guest becomes a part of an account."""

from collections.abc import Sequence
from datetime import datetime

from libs.core.games.person.commands import Join, PersonCommand
from libs.core.games.person.events import GuestJoined, PersonEvent
from libs.core.games.person.moderate import moderate
from libs.core.games.person.state import Person
from libs.core.messages import Asker
from libs.core.refusals import Reason, Refused


def decide(person: Person, command: PersonCommand, asker: Asker, now: datetime) -> Sequence[PersonEvent]:
    """The events that follow from a command received at `now` (UTC): none if all is so already.

    Raises `Refused`: a guest is joined by the account alone (not_a_player), all else is for operators
    (not_an_operator), nobody closes their own account (own_account), and reports are decided once (report_decided).
    """
    if isinstance(command, Join):
        return _join(person, command, asker, now)
    return moderate(person, command, asker, now)


def _join(person: Person, command: Join, asker: Asker, now: datetime) -> Sequence[PersonEvent]:
    if asker.guest or asker.by != (person.account or asker.by):
        raise Refused(Reason.NOT_A_PLAYER)
    if command.guest in person.guests:
        return []
    return [GuestJoined(at=now, account=asker.by, guest=command.guest)]

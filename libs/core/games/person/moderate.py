"""What operators of the service do about a person."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, assert_never

from libs.core.games.person.commands import Close, DecideReport, LookUp, Moderation, Mute, Rename, Reopen, Unmute
from libs.core.games.person.events import Closed, LookedUp, Moderated, Muted, Renamed, Reopened, ReportDecided, Unmuted
from libs.core.games.person.state import Person, is_muted
from libs.core.messages import Asker
from libs.core.refusals import Reason, Refused


def moderate(person: Person, command: Moderation, asker: Asker, now: datetime) -> Sequence[Moderated]:
    """The events that follow from a command received at `now` (UTC): none if all is so already.

    Raises `Refused` (not_an_operator, own_account, report_decided).
    """
    if not asker.operator:
        raise Refused(Reason.NOT_AN_OPERATOR)
    done: dict[str, Any] = {"at": now, "by": asker.by, "player": command.player, "why": command.why}
    match command:
        case Mute():
            until = None if command.seconds is None else now + timedelta(seconds=command.seconds)
            for_good = until is None and person.muted is not None and person.muted.until is None
            return [] if for_good else [Muted(**done, until=until)]
        case Unmute():
            return [Unmuted(**done)] if is_muted(person, now) else []
        case Rename():
            return [Renamed(**done)]
        case Close():
            if command.player == asker.by:
                raise Refused(Reason.OWN_ACCOUNT)
            return [] if person.closed else [Closed(**done)]
        case Reopen():
            return [Reopened(**done)] if person.closed else []
        case DecideReport():
            if (command.in_game, command.message) in person.decided:
                raise Refused(Reason.REPORT_DECIDED)
            done |= {"in_game": command.in_game, "message": command.message, "upheld": command.upheld}
            return [ReportDecided(**done)]
        case LookUp():
            return [LookedUp(**done, in_game=command.in_game, version=command.version)]
        case _:
            assert_never(command)

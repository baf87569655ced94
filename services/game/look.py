"""Answers that change nothing: what a person may see of a game, an invite, an ended game."""

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec import Raw

from libs.core.calls import NOTHING, Answer, Look, LookAtAudit, LookAtInvite, Seen
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused
from services.game.asking import seat
from services.game.store import Folded, Store

_encoder = msgspec.json.Encoder()


def seen(folded: Folded, player: PlayerId) -> Seen:
    """This version of a game as this player sees it. Raises `Refused` for who has no seat."""
    view = folded.game.view(folded.state, player, folded.version)
    return Seen(version=folded.version, view=Raw(_encoder.encode(view)))


def answer(folded: Folded, player: PlayerId = "", shown: Iterable[Seen] = (), body: object = None) -> Answer:
    """An answer about a game as it stands now."""
    standing = folded.standing
    return Answer(
        game=folded.id,
        kind=folded.game.kind,
        player=player,
        players=standing.players,
        sequence=folded.sequence,
        ended=standing.ended,
        due=standing.due,
        chat_until=standing.chat_until,
        seen=tuple(shown),
        body=NOTHING if body is None else Raw(_encoder.encode(body)),
    )


async def look(store: Store, call: Look) -> Answer:
    """The present view, and those since `after` in which the person had a seat. Raises `Refused`."""
    folded = await _game(store, call.game)
    player = seat(folded.standing.players, call.by).by
    present = seen(folded, player)
    if call.after is None or call.after >= folded.version - 1:
        return answer(folded, player, [present])
    since = await store.versions(folded, call.after + 1)
    missed = [seen(past, player) for past in since[:-1] if player in past.standing.players]
    return answer(folded, player, [*missed, present])


async def look_at_invite(store: Store, call: LookAtInvite, now: datetime) -> Answer:
    """What anybody with the link may know, at this instant. Raises `Refused`."""
    folded = await store.fresh(call.game)
    invitation = folded and folded.game.invitation(folded.state, now)
    if folded is None or invitation is None:
        raise Refused(Reason.UNKNOWN_INVITE)
    return answer(folded, body=invitation)


async def look_at_audit(store: Store, call: LookAtAudit) -> Answer:
    """All of an ended game, for its players. Raises `Refused`."""
    folded = await _game(store, call.game)
    player = seat(folded.standing.players, call.by).by
    if player not in folded.standing.players:
        raise Refused(Reason.NOT_A_PLAYER)
    return answer(folded, player, body=folded.game.audit(await store.history(call.game)))


async def _game(store: Store, game: GameId) -> Folded:
    folded = await store.fresh(game)
    if folded is None:
        raise Refused(Reason.UNKNOWN_GAME)
    return folded

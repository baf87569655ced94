"""The rules of the Duel: a command becomes events, or is refused with its reason."""

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

from libs.core import lexicon
from libs.core.calendar import close_of, eastern_day, invite_expires
from libs.core.commitments import commit_to, salt_from
from libs.core.games.duel.commands import (
    Accept,
    Cancel,
    DuelCommand,
    Guess,
    Open,
    Resign,
    SetSecret,
    Wake,
    Withdraw,
)
from libs.core.games.duel.events import (
    DuelEvent,
    Ended,
    Expired,
    Guessed,
    Joined,
    Opened,
    SecretSet,
    Started,
    Withdrawn,
)
from libs.core.games.duel.state import Duel, Seat, evolve, invitation, scores
from libs.core.marks import letters, mark
from libs.core.messages import CLOCK, Asker, PlayerId
from libs.core.refusals import Reason, Refused


def decide(duel: Duel, command: DuelCommand, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    """The events that follow from a command received at `now` (UTC). Raises `Refused`."""
    match command:
        case Open():
            return _open(duel, command, asker, now)
        case Accept():
            return _accept(duel, command, asker, now)
        case Withdraw():
            return _withdraw(duel, asker, now)
        case SetSecret():
            return _set_secret(duel, command, asker, now)
        case Cancel():
            return _cancel(duel, asker, now)
        case Guess():
            return _guess(duel, command, asker, now)
        case Resign():
            _seat_of(duel, asker.by)
            raise Refused(Reason.NOT_POSSIBLE)
        case Wake():
            return _wake(duel, asker, now)
        case _:
            assert_never(command)


def _open(duel: Duel, command: Open, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    if duel.game or command.rival == asker.by:
        raise Refused(Reason.NOT_POSSIBLE)
    edition = lexicon.newest().edition
    secret = _secret(edition, command.secret, asker, now)
    opened = Opened(
        at=now,
        game=command.game,
        maker=asker.by,
        guest=asker.guest,
        words=edition,
        expires_at=None if command.rival else invite_expires(now),
    )
    if command.rival is None:
        return [opened, secret]
    joined = Joined(at=now, player=command.rival, guest=False)
    return [opened, secret, joined, _started(now, asker.by, command.rival, rivals=not asker.guest)]


def _accept(duel: Duel, command: Accept, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    _require_open(duel, now)
    maker = duel.seats[0]
    if maker.player == asker.by:
        raise Refused(Reason.OWN_INVITE)
    return [
        Joined(at=now, player=asker.by, guest=asker.guest),
        _secret(duel.words, command.secret, asker, now),
        _started(now, maker.player, asker.by, rivals=not (maker.guest or asker.guest)),
    ]


def _withdraw(duel: Duel, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    if duel.seats and duel.seats[0].player != asker.by:
        raise Refused(Reason.NOT_THE_MAKER)
    _require_open(duel, now)
    return [Withdrawn(at=now)]


def _set_secret(duel: Duel, command: SetSecret, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    seat = _seat_of(duel, asker.by)
    _require_not_closed(duel, now)
    if seat.secret:
        raise Refused(Reason.SECRET_SET)
    return [_secret(duel.words, command.secret, asker, now)]


def _cancel(duel: Duel, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    _seat_of(duel, asker.by)
    _require_not_closed(duel, now)
    if duel.closes_at is None or duel.ready:
        raise Refused(Reason.NOT_POSSIBLE)
    return [Ended(at=now, scores=scores(duel.seats))]


def _guess(duel: Duel, command: Guess, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    seat = _seat_of(duel, asker.by)
    _require_not_closed(duel, now)
    other = duel.other(asker.by)
    if not duel.ready or other is None or other.secret is None:
        raise Refused(Reason.TOO_EARLY)
    if seat.finished:
        raise Refused(Reason.FINISHED)
    word = letters(command.word)
    if word not in lexicon.edition(duel.words).guesses:
        raise Refused(Reason.UNKNOWN_WORD)
    marks = mark(word, other.secret)
    guessed = Guessed(at=now, by=asker.by, word=word, marks=marks, number=len(seat.guesses) + 1)
    after = evolve(duel, guessed)
    if all(seat.finished for seat in after.seats):
        return [guessed, Ended(at=now, scores=scores(after.seats))]
    return [guessed]


def _wake(duel: Duel, asker: Asker, now: datetime) -> Sequence[DuelEvent]:
    if asker.by != CLOCK:
        raise Refused(Reason.NOT_A_PLAYER)
    if duel.void or duel.ended:
        return []
    if duel.closes_at is not None:
        return [Ended(at=duel.closes_at, scores=scores(duel.seats))] if now >= duel.closes_at else []
    if duel.expires_at is not None and now >= duel.expires_at:
        return [Expired(at=duel.expires_at)]
    return []


def _started(now: datetime, maker: PlayerId, taker: PlayerId, *, rivals: bool) -> Started:
    day = eastern_day(now)
    return Started(at=now, day=day, closes_at=close_of(day), players=(maker, taker), rivals=rivals)


def _secret(edition: str, text: str | None, asker: Asker, now: datetime) -> SecretSet:
    if text is None:
        raise Refused(Reason.SECRET_REQUIRED)
    word = letters(text)
    if not lexicon.edition(edition).has_secret(word):
        raise Refused(Reason.NOT_A_SECRET)
    salt = salt_from(asker.seed, "secret")
    return SecretSet(at=now, by=asker.by, word=word, salt=salt, commitment=commit_to(word, salt))


def _seat_of(duel: Duel, player: PlayerId) -> Seat:
    if not duel.game:
        raise Refused(Reason.UNKNOWN_GAME)
    seat = duel.seat(player)
    if seat is None:
        raise Refused(Reason.NOT_A_PLAYER)
    return seat


def _require_not_closed(duel: Duel, now: datetime) -> None:
    cancelled = duel.ended is not None and not duel.ready
    if duel.void or cancelled or (duel.closes_at is not None and now >= duel.closes_at):
        raise Refused(Reason.CLOSED)


def _require_open(duel: Duel, now: datetime) -> None:
    invite = invitation(duel, now)
    match invite.state if invite else "unknown":
        case "open":
            return
        case "used":
            raise Refused(Reason.INVITE_USED)
        case "withdrawn":
            raise Refused(Reason.INVITE_WITHDRAWN)
        case "expired":
            raise Refused(Reason.INVITE_EXPIRED)
        case _:
            raise Refused(Reason.UNKNOWN_INVITE)

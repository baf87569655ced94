"""Duels that the tests share: two players, their words, and the events that bring a game this far."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from libs.core import lexicon
from libs.core.calendar import close_of, eastern_day
from libs.core.commitments import commit_to
from libs.core.games.duel import DUEL
from libs.core.games.duel.commands import Wake
from libs.core.games.duel.events import DuelEvent, Joined, Opened, SecretSet, Started
from libs.core.messages import CLOCK, Asker, Command, Commit, command_id, digest
from libs.core.refusals import Refused
from tests.given import SEED

NOON = datetime(2026, 1, 15, 17, tzinfo=UTC)
MIDNIGHT = datetime(2026, 1, 16, 5, tzinfo=UTC)
ID = "019bc2a0-0000-7000-8000-000000000001"
SALT = "00112233445566778899aabbccddeeff"


def after(seconds: float) -> datetime:
    """This long after noon."""
    return NOON + timedelta(seconds=seconds)


def opened(*, guest: bool = False, expires_at: datetime | None = None, at: datetime = NOON) -> Opened:
    return Opened(at=at, game=ID, maker="ann", guest=guest, words=lexicon.newest().edition, expires_at=expires_at)


def secret(by: str, word: str, at: datetime = NOON) -> SecretSet:
    return SecretSet(at=at, by=by, word=word, salt=SALT, commitment=commit_to(word, SALT))


def started(at: datetime = NOON, *, rivals: bool = True) -> Started:
    day = eastern_day(at)
    return Started(at=at, day=day, closes_at=close_of(day), players=("ann", "bob"), rivals=rivals)


BOB = Joined(at=NOON, player="bob", guest=False)
INVITE: Sequence[DuelEvent] = (opened(expires_at=NOON + timedelta(days=7)), secret("ann", "crepe"))
WAITING: Sequence[DuelEvent] = (opened(), secret("ann", "crepe"), BOB, started())
READY: Sequence[DuelEvent] = (*WAITING, secret("bob", "banal"))


class Table:
    """A duel as the game service keeps it, without the service: request keys, records, the clock when it is due."""

    def __init__(self, *events: DuelEvent) -> None:
        first = Commit(id="set-up", by="ann", digest="", at=NOON, events=events)
        self.history: list[Commit[Any]] = [first]

    @property
    def state(self) -> Any:
        return DUEL.fold(self.history)

    def ask(self, command: Command, by: str, now: datetime, key: str) -> Sequence[DuelEvent] | str:
        """What it answers: the events taken, or why not. A known key gets the first answer, or `key`."""
        asked, name = digest(command), command_id(by, key)
        for commit in self.history:
            if commit.id == name:
                return commit.events if commit.digest == asked else "key"
        try:
            events = DUEL.decide(self.state, command, Asker(by=by, seed=SEED), now)
        except Refused as refused:
            return refused.reason.value
        if events:
            self.history.append(Commit(id=name, by=by, digest=asked, at=now, events=events))
        return events

    def wake(self, now: datetime) -> None:
        """Tell the game the time."""
        self.ask(Wake(), CLOCK, now, f"wake {now}")

"""given(game, events).when(command).then(events) or .refused(reason): how the rules are tested."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

from libs.core.decider import Decider
from libs.core.messages import Asker, Command, Event
from libs.core.refusals import Reason, Refused

SEED = b"\1" * 32
DAILY_KEY = b"a key of the tests, with 32 bytes"


@dataclass(frozen=True)
class When:
    game: Decider[Any]
    state: Any
    command: Command
    asker: Asker
    now: datetime

    def decide(self) -> Sequence[Event]:
        return self.game.decide(self.state, self.command, self.asker, self.now)

    def then(self, *events: Event) -> None:
        assert list(events) == list(self.decide())

    def refused(self, reason: Reason) -> None:
        with pytest.raises(Refused) as caught:
            self.decide()
        assert reason == caught.value.reason


@dataclass(frozen=True)
class Given:
    game: Decider[Any]
    events: Sequence[Event]

    def when(self, command: Command, by: str, now: datetime, *, guest: bool = False, origin: str = "") -> When:
        state = self.game.apply(self.game.start, self.events)
        asker = Asker(by=by, guest=guest, origin=origin, seed=SEED, daily_key=DAILY_KEY)
        return When(self.game, state, command, asker, now)


def given(game: Decider[Any], *events: Event) -> Given:
    """A game in which this has happened."""
    return Given(game, events)

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

    def when(self, command: Command, by: str, now: datetime, *, guest: bool = False) -> When:
        state = self.game.apply(self.game.start, self.events)
        return When(self.game, state, command, Asker(by=by, guest=guest, seed=SEED), now)


def given(game: Decider[Any], *events: Event) -> Given:
    """A game in which this has happened."""
    return Given(game, events)

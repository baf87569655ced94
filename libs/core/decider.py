"""The one shape of every game: decide, evolve, view, due. All are plain functions of values."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import Any, Generic, TypeVar

from msgspec import Struct

from libs.core.facts import Fact
from libs.core.messages import Asker, Command, Commit, Event, PlayerId

State = TypeVar("State")


class Standing(Struct, frozen=True, kw_only=True):
    """What the services must know of a game without knowing its rules."""

    players: tuple[PlayerId, ...]  # by seat; the maker first
    ended: bool
    due: datetime | None  # when time itself must speak, if ever (UTC)
    chat_until: datetime | None  # chat is open to `players` before this instant (UTC), or not at all


class Invitation(Struct, frozen=True, kw_only=True):
    """What anybody who holds the link may know of an invite."""

    maker: PlayerId
    state: str  # open, used, withdrawn or expired
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Decider(Generic[State]):
    """A game as a value. `decide` may refuse (`Refused`); nothing else may."""

    kind: str
    """The second word of its subjects: game.duel.<id>."""

    start: State
    """Before anything happened."""

    decide: Callable[[State, Any, Asker, datetime], Sequence[Any]]
    """State, command, who asks, now (UTC) -> events; an empty answer means that nothing is to be done."""

    evolve: Callable[[State, Any], State]
    """Never refuses, never looks anything up."""

    view: Callable[[State, PlayerId, int], Any]
    """State, player, version -> what this player may see, built field by field: the only way anything leaves."""

    standing: Callable[[State], Standing]

    invitation: Callable[[State, datetime], Invitation | None]
    """The invite that this game is or was; none if it never was one."""

    audit: Callable[[Sequence[Commit[Any]]], Any]
    """A history -> what its players may check once it has ended; raises `Refused` (not_ended) before."""

    facts: Callable[[Any], Iterable[Fact]]
    """An event, in the words of the projections."""

    claims: Callable[[Any], Iterable[str]]
    """What an event claims for its game alone, over all games: a pair's one game of the day, for instance."""

    problems: Callable[[Sequence[Commit[Any]]], Iterable[str]]
    """An auditor's eye: what in this history disagrees with the rules, in plain words; nothing if all is right."""

    moves: Any
    """The union of the commands that a player may send."""

    commands: Any
    """The union of all commands: what players send, and what our own services add."""

    events: Any
    """The union of all events of today; older ones are turned into these when read."""

    past: Any = None
    """The union of what was stored once and is made no longer, each a `Past`; none while there is no such event."""

    def apply(self, state: State, events: Iterable[Event]) -> State:
        """The state after these events."""
        return reduce(self.evolve, events, state)

    def fold(self, commits: Iterable[Commit[Any]]) -> State:
        """The state after this history."""
        return reduce(lambda state, commit: self.apply(state, commit.events), commits, self.start)


__all__ = ["Asker", "Command", "Decider", "Invitation", "Standing"]

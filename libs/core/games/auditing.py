"""What the audits of games share: the shape of what players may check, and an auditor's walk through the records."""

from collections.abc import Callable, Generator, Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec import Struct

from libs.core.messages import Commit, GameId, PlayerId

State = TypeVar("State")


class GameAudit(Struct, frozen=True, kw_only=True):
    """Every event of an ended game, and what its commitments were made for."""

    game: GameId
    kind: str
    words: str
    players: tuple[PlayerId, ...]
    events: tuple[Any, ...]
    commitments: dict[PlayerId, str | None]
    salts: dict[PlayerId, str | None]
    secrets: dict[PlayerId, str | None]


def walk(
    history: Sequence[Commit[Any]],
    state: State,
    evolve: Callable[[State, Any], State],
    problems: Callable[[State, Any], Iterable[str]],
) -> Generator[str, None, State]:
    """What is wrong with the order of the records, and with each event as things stood; returns the last state.

    One sentence each, with the number of its record.
    """
    yield from out_of_order(history)
    for number, commit in enumerate(history, 1):
        for event in commit.events:
            yield from (f"record {number}: {problem}" for problem in problems(state, event))
            state = evolve(state, event)
    return state


def out_of_order(history: Sequence[Commit[Any]]) -> Iterable[str]:
    """Commands that were taken twice, and events that are earlier than those before them, one sentence each."""
    known: set[str] = set()
    last: datetime | None = None
    for number, commit in enumerate(history, 1):
        if commit.id in known:
            yield f"record {number}: the command was taken twice"
        known.add(commit.id)
        for event in commit.events:
            if last is not None and event.at < last:
                yield f"record {number}: it is earlier than the one before"
            last = event.at

"""One game's records, looked at with an auditor's eye: everything that can be said without asking anybody."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from libs.core import history as stored
from libs.core.facts import Made
from libs.core.games import GAMES
from libs.core.history import Newer, UnknownKind
from libs.core.messages import Commit, GameId
from libs.runtime.log import Record
from services.game import claims
from services.game.projections.shape import Projection, Told, Unfoldable, told

P = TypeVar("P", bound=Projection)


class Read(Struct, frozen=True):
    """A record that could be read, and what it says."""

    record: Record
    commit: Commit[Any]
    told: Told


class Examined(Struct, frozen=True, kw_only=True):
    """A game and what is wrong with it, in plain words."""

    game: GameId
    history: Sequence[Read]
    problems: list[str]
    claims: Sequence[str]  # the subjects of what it must have claimed


def read(record: Record) -> Read:
    """Read one record. Raises `Unfoldable`."""
    try:
        commit = stored.read(record.kind, record.data)
    except Newer as error:
        raise Unfoldable(str(error)) from None
    except UnknownKind:
        raise Unfoldable("a game of an unknown kind") from None
    except msgspec.DecodeError as error:
        raise Unfoldable(f"not readable: {error}") from None
    return Read(record, commit, told(record, commit))


def examine(game: GameId, history: Sequence[Read], unread: Iterable[str] = ()) -> Examined:
    """What this history says, beside what of it could not be read."""
    problems, claimed = list(unread), []
    if history:
        decider = GAMES[history[0].record.kind]
        if len({one.record.kind for one in history}) > 1:
            problems.append("its records are of several kinds of game")
        problems += decider.problems([one.commit for one in history])
        problems += _of_commits(history)
        for one in history:
            claimed += claims.subjects_of(decider, one.commit.events)
            if any(isinstance(fact, Made) and fact.keyed for _, fact in one.told.facts):
                claimed.append(claims.subject_of_key(one.commit.id))
    return Examined(game=game, history=history, problems=problems, claims=claimed)


def _of_commits(history: Sequence[Read]) -> Iterable[str]:
    decider = GAMES[history[0].record.kind]
    state = decider.start
    for number, one in enumerate(history, 1):
        commit = one.commit
        state = decider.apply(state, commit.events)
        if commit.due != decider.standing(state).due:
            yield f"record {number}: it is not due when it says"
        if not commit.id.startswith(f"{commit.by}:"):
            yield f"record {number}: the command bears another player's name"
        if any(getattr(event, "by", commit.by) != commit.by for event in commit.events):
            yield f"record {number}: an event of another player than the command"


def rows(projection: type[P], history: Iterable[Read]) -> tuple[P, dict[int, str]]:
    """The rows that these records of one game make, and which of them make no sense to the projection, and why."""
    parked: dict[int, str] = {}
    batch = [one.told for one in history]
    while True:
        fresh = projection()
        for said in batch:
            try:
                fresh.take(said)
            except Unfoldable as error:
                parked[said.sequence] = str(error)
                break
        else:
            return fresh, parked
        batch = [said for said in batch if said.sequence not in parked]

"""One game in the ledger against its records in the log."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from libs.core.decider import Decider
from libs.core.games import GAMES
from libs.core.history import Newer, UnknownKind, read
from libs.core.messages import Commit, command_id
from libs.core.refusals import Refused as CoreRefused
from libs.runtime.log import Record
from services.cli.load.ledger import Audited, Entry, Refused, Seen, Sent, Taken
from services.cli.load.views import differences, nameless, of_struct


def problems(entries: Sequence[Entry], records: Sequence[Record]) -> Iterable[str]:
    """What the ledger says of a game and its records do not bear out, one sentence each."""
    if not records:
        if any(isinstance(entry, Taken | Seen | Audited) for entry in entries):
            yield "the log has no such game"
        return
    try:
        history = [read(record.kind, record.data) for record in records]
    except (Newer, UnknownKind, msgspec.DecodeError) as error:
        yield f"its records cannot be read: {error}"
        return
    game = _Game(GAMES[records[0].kind], history)
    yield from game.strangers({command_id(e.by, e.key) for e in entries if isinstance(e, Sent)})
    for acknowledged in dict.fromkeys(e for e in entries if isinstance(e, Taken)):
        yield from game.taken(acknowledged)
    for entry in entries:
        match entry:
            case Refused(final=True):
                yield from game.refused(entry)
            case Seen():
                yield from game.seen(entry)
            case Audited():
                yield from game.audited(entry)
            case _:
                pass


class _Game:
    """A game as the log has it."""

    def __init__(self, decider: Decider[Any], history: Sequence[Commit[Any]]) -> None:
        self._decider = decider
        self._history = history
        self._states = [decider.start]
        self._versions: dict[str, list[int]] = {}
        self._views: dict[tuple[int, str], Mapping[str, Any] | str] = {}
        for version, commit in enumerate(history, 1):
            self._states.append(decider.apply(self._states[-1], commit.events))
            self._versions.setdefault(commit.id, []).append(version)

    def strangers(self, sent: set[str]) -> Iterable[str]:
        """Guesses that no player of the ledger has sent."""
        for version, commit in enumerate(self._history, 1):
            for event in _guesses(commit):
                if commit.id not in sent:
                    yield f"record {version}: {event.word} by {event.by}, a guess that no player sent"

    def taken(self, entry: Taken) -> Iterable[str]:
        """Whether an acknowledged command is there once, as it was acknowledged."""
        what = f"{entry.word or 'a command'} by {entry.by} (key {entry.key})"
        versions = self._versions.get(command_id(entry.by, entry.key), [])
        if not versions:
            yield f"{what} was acknowledged as version {entry.version}, and is not in the log"
            return
        if len(versions) > 1:
            yield f"{what} is in the log {len(versions)} times: as the records {', '.join(map(str, versions))}"
        if entry.version not in versions:
            yield f"{what} was acknowledged as version {entry.version}, and is record {versions[0]}"
        if entry.word:
            told = [(event.word, event.marks) for event in _guesses(self._history[versions[0] - 1])]
            if told != [(entry.word, entry.marks)]:
                said = ", ".join(f"{word} {marks}" for word, marks in told) or "no guess"
                yield f"{what} was acknowledged with the marks {entry.marks}, and the log has {said}"

    def refused(self, entry: Refused) -> Iterable[str]:
        """Whether a refused command is not there."""
        for version in self._versions.get(command_id(entry.by, entry.key), []):
            yield f"the key {entry.key} of {entry.by} was refused ({entry.code}), and is record {version}"

    def seen(self, entry: Seen) -> Iterable[str]:
        """Whether a view shows what its version is to this player."""
        right = self._view(entry.version, entry.by)
        where = f"version {entry.version} as {entry.by} saw it{' on a socket' if entry.following else ''}"
        if isinstance(right, str):
            yield f"{where}: {right}"
            return
        for difference in differences(nameless(msgspec.json.decode(entry.view)), right):
            yield f"{where}: {difference}"

    def _view(self, version: int, player: str) -> Mapping[str, Any] | str:
        """The view; in words why there can be none."""
        if not 0 < version < len(self._states):
            return f"the log has {len(self._history)} records"
        if (version, player) not in self._views:
            try:
                view = of_struct(self._decider.view(self._states[version], player, version))
            except CoreRefused as refused:
                view = f"nobody there may see it ({refused.reason.value})"
            self._views[version, player] = view
        return self._views[version, player]

    def audited(self, entry: Audited) -> Iterable[str]:
        """Whether the service told of an ended game what the log says."""
        told = msgspec.json.decode(entry.audit)
        try:
            right = of_struct(self._decider.audit(self._history))
        except CoreRefused as refused:
            yield f"{entry.by} was told all of a game that keeps its secrets ({refused.reason.value})"
            return
        of_edge = {name: told[name] for name in ("players", "result") if name in told}
        for difference in differences(told, {**right, **of_edge}):
            yield f"what {entry.by} was told to check it by: {difference}"


def _guesses(commit: Commit[Any]) -> Iterable[Any]:
    return [event for event in commit.events if event.__struct_config__.tag == "guessed"]

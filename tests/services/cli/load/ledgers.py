"""A recorded game, and the ledger that honest players of it would have."""

from pathlib import Path

import msgspec
from msgspec import Raw

from libs.core.games import GAMES
from libs.core.history import reader_of
from libs.runtime.log import Record
from services.cli.load.ledger import Audited, Entry, Seen, Sent, Taken

HISTORIES = Path(__file__).parents[3] / "core" / "histories"
DUEL = "duel-invite-draw-at-noon"
DAILY = "daily-solved-in-three"


def records(name: str) -> list[Record]:
    """A recorded history as the log holds it."""
    kind = name.partition("-")[0]
    lines = HISTORIES.joinpath(f"{name}.jsonl").read_bytes().splitlines()
    commits = [reader_of(kind)(line) for line in lines]
    game = next(event.game for commit in commits for event in commit.events if hasattr(event, "game"))
    return [
        Record(number, f"game.{kind}.{game}", line, commit.at)
        for number, (line, commit) in enumerate(zip(lines, commits, strict=True), 1)
    ]


def ledger(history: list[Record]) -> list[Entry]:
    """All that was sent, acknowledged and seen, by everybody who sits there and on a socket each; then the audits."""
    game, decider = history[0].game, GAMES[history[0].kind]
    commits = [reader_of(one.kind)(one.data) for one in history]
    state, entries = decider.start, list[Entry]()
    for version, commit in enumerate(commits, 1):
        state = decider.apply(state, commit.events)
        key = commit.id.removeprefix(f"{commit.by}:")
        guess = next((event for event in commit.events if event.__struct_config__.tag == "guessed"), None)
        if guess is not None:
            entries.append(Sent(game=game, by=commit.by, key=key, word=guess.word))
            entries.append(Taken(game=game, by=commit.by, key=key, version=version, word=guess.word, marks=guess.marks))
        elif commit.by != "clock":
            entries.append(Taken(game=game, by=commit.by, key=key, version=version))
        for player in decider.standing(state).players:
            view = Raw(msgspec.json.encode(decider.view(state, player, version)))
            entries.append(Seen(game=game, by=player, version=version, view=view, following=f"of {player}"))
    audit = Raw(msgspec.json.encode(decider.audit(commits)))
    return [*entries, *(Audited(game=game, by=player, audit=audit) for player in decider.standing(state).players)]


def guesses(entries: list[Entry]) -> list[Taken]:
    """The acknowledged guesses among them."""
    return [entry for entry in entries if isinstance(entry, Taken) and entry.word]


def without(entries: list[Entry], *gone: Entry) -> list[Entry]:
    """All but these."""
    return [entry for entry in entries if not any(entry is one for one in gone)]

"""One game in the ledger against what the service itself says of it: all that can be done without the log."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from libs.core.commitments import holds
from libs.core.marks import mark
from libs.core.messages import PlayerId
from services.cli.load.ledger import Audited, Entry, Seen, Sent, Taken
from services.cli.load.views import differences, nameless


def problems(entries: Sequence[Entry]) -> Iterable[str]:
    """What is wrong by the events, secrets and salts that a player was given after the end; one sentence each."""
    yield from contradictions(entries)
    audits = [msgspec.json.decode(entry.audit) for entry in entries if isinstance(entry, Audited)]
    for other in audits[1:]:
        yield from (
            f"the game was told in two ways: {one}" for one in differences(nameless(other), nameless(audits[0]))
        )
    yield from _of_guesses(entries, audits[0])
    yield from _of_secrets(audits[0])


def contradictions(entries: Iterable[Entry]) -> Iterable[str]:
    """Where the service has said two things: of one version to one player, or of one command."""
    views: dict[tuple[int, PlayerId], Any] = {}
    taken: dict[tuple[PlayerId, str], Taken] = {}
    for entry in entries:
        match entry:
            case Seen():
                view = nameless(msgspec.json.decode(entry.view))
                first = views.setdefault((entry.version, entry.by), view)
                for difference in differences(view, first):
                    yield f"version {entry.version} as {entry.by} saw it was shown in two ways: {difference}"
            case Taken():
                before = taken.setdefault((entry.by, entry.key), entry)
                if before != entry:
                    yield f"the key {entry.key} of {entry.by} was answered with {_said(before)} and with {_said(entry)}"
            case _:
                pass


def _of_guesses(entries: Sequence[Entry], audit: Any) -> Iterable[str]:
    """Acknowledged guesses are there once and in their order; others only if somebody has sent them."""
    taken = {(e.by, e.key): e for e in entries if isinstance(e, Taken) and e.word}
    known = sorted(taken.values(), key=lambda entry: entry.version)
    guessed = [event for event in audit["events"] if event["type"] == "guessed"]
    for player in dict.fromkeys([*(e.by for e in known), *(event["by"] for event in guessed)]):
        told = [(event["word"], event["marks"]) for event in guessed if event["by"] == player]
        for entry in (e for e in known if e.by == player):
            if (entry.word, entry.marks) in told:
                told.remove((entry.word, entry.marks))
            else:
                yield f"{entry.word} {entry.marks} by {player} was acknowledged, and is not among the events"
        open_ = [e.word for e in entries if isinstance(e, Sent) and e.by == player and (player, e.key) not in taken]
        for word, marks in told:
            if word in open_:
                open_.remove(word)
            else:
                yield f"{word} {marks} by {player} is among the events once too often: no player sent it"


def _said(entry: Taken) -> str:
    return f"version {entry.version} {entry.word} {entry.marks}".strip()


def _of_secrets(audit: Any) -> Iterable[str]:
    """The marks are those of the secrets, and these are what the commitments were made for."""
    secrets, salts = audit["secrets"], audit["salts"]
    for player, commitment in audit["commitments"].items():
        if commitment and salts[player] and not holds(commitment, secrets[player], salts[player]):
            yield f"the commitment of {player} was not made for its word and salt"
    for event in audit["events"]:
        if event["type"] == "guessed":
            others = [secret for player, secret in secrets.items() if player != event["by"]]
            [secret] = others or secrets.values()  # of a game alone, the own one
            if event["marks"] != mark(event["word"], secret):
                yield f"{event['word']} by {event['by']}: the marks are not right"

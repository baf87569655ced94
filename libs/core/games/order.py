"""What an auditor finds wrong in the order of any game's records."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from libs.core.messages import Commit


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

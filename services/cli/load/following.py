"""Whether sockets kept their promise: each version once and in order, also over broken connections."""

from collections.abc import Iterable

from services.cli.load.ledger import Entry, Seen


def out_of_order(entries: Iterable[Entry]) -> Iterable[str]:
    """Which versions of a game came to a socket twice, out of order or not at all."""
    reached: dict[str, int] = {}
    for entry in entries:
        if isinstance(entry, Seen) and entry.following:
            last = reached.get(entry.following)
            if last is not None and entry.version != last + 1:
                yield f"a socket of {entry.by} was sent version {entry.version} after version {last}"
            reached[entry.following] = entry.version

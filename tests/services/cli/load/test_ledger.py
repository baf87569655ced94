"""The ledger as a file, and what sockets promise of the order of versions."""

from pathlib import Path

from msgspec import Raw

from services.cli.load.following import out_of_order
from services.cli.load.ledger import Book, Ledger, Refused, Seen, Taken
from tests.services.cli.load.ledgers import DUEL, ledger, records


def test_what_was_written_is_read_back_game_by_game(tmp_path: Path) -> None:
    file, told = tmp_path / "ledger", ledger(records(DUEL))
    other = Taken(game="another", by="ann", key="1", version=1)
    with Ledger(file) as out:
        for entry in (told[0], other, *told[1:]):
            out.write(entry)
        out.write(Refused(request="POST /solver", status=503, code="solver_busy"))
    book = Book(file)
    assert book.games == [told[0].game, "another"]
    assert dict(book.pages()) == {told[0].game: told, "another": [other]}
    assert book.refusals == {"solver_busy": 1} == dict(out.refusals)
    assert book.counts == out.counts


def test_a_second_load_goes_on_in_the_same_ledger(tmp_path: Path) -> None:
    for key in ("1", "2"):
        with Ledger(tmp_path / "ledger") as out:
            out.write(Taken(game="one", by="ann", key=key, version=1))
    assert Book(tmp_path / "ledger").counts["taken"] == 2


def test_a_line_that_was_cut_off_counts_as_not_written(tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    with Ledger(file) as out:
        out.write(Taken(game="one", by="ann", key="1", version=1))
        out.write(Taken(game="one", by="ann", key="2", version=2))
    file.write_bytes(file.read_bytes()[:-5])
    assert [[entry.version for entry in entries] for _, entries in Book(file).pages()] == [[1]]  # type: ignore[union-attr]


def seen(version: int, following: str = "one") -> Seen:
    return Seen(game="game", by="ann", version=version, view=Raw(b"{}"), following=following)


def test_versions_come_to_a_socket_once_and_in_order() -> None:
    assert list(out_of_order([seen(3), seen(1, "other"), seen(4), seen(2, "other"), seen(9, "")])) == []
    assert list(out_of_order([seen(3), seen(3)])) == ["a socket of ann was sent version 3 after version 3"]
    assert list(out_of_order([seen(3), seen(5), seen(6)])) == ["a socket of ann was sent version 5 after version 3"]

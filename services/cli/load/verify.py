"""Whether a ledger and the service agree: acknowledged commands, views and tables against the log.

    report = await verify(Path("ledger.jsonl"), log, settings.postgres_url)
    assert not report.problems, report.problems

Call it when nobody plays (`Load.quiet`): a guess under way would be found in the log before the ledger was read.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from libs.core.messages import GameId
from libs.runtime.log import Log
from services.cli.load import by_audit, by_log
from services.cli.load.following import out_of_order
from services.cli.load.ledger import Audited, Book, Entry, Seen, Taken
from services.game import rebuild
from services.game.audit import audit_all
from services.game.projections import PROJECTIONS
from services.game.snapshot import snapshot

MOST = 1000
"""Problems that are named; more would not be read."""


class Report(Struct, kw_only=True):
    """What was compared, what of it is wrong, and what could not be compared; each a sentence."""

    games: int = 0
    acknowledged: int = 0  # commands
    views: int = 0
    audits: int = 0
    projections: list[str] = field(default_factory=list)  # equal to a fresh fold, or named in the problems
    refusals: dict[str, int] = field(default_factory=dict)  # by code
    problems: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


async def verify(ledger: Path, log: Log | None, postgres_url: str = "") -> Report:
    """Compare a ledger with the log, and the tables with both, as far as they can be reached.

    Without the log, what the service itself said of ended games takes its place. Raises `Unread`, `Rewound`,
    `rebuild.Busy` or `psycopg.Error` if the servers do not answer, and `msgspec.DecodeError` for what is no ledger.
    """
    book = Book(ledger)
    report = Report(games=len(book.games), refusals=dict(book.refusals))
    open_games = 0
    for game, entries in book.pages():
        _count(report, entries)
        _note(report, game, out_of_order(entries))
        if log is not None:
            _note(report, game, by_log.problems(entries, await log.load(game)))
        elif any(isinstance(entry, Audited) for entry in entries):
            _note(report, game, by_audit.problems(entries))
        else:
            open_games += 1
            _note(report, game, by_audit.contradictions(entries))
    if log is None:
        report.unchecked.append(
            "Without the log, versions and command ids are taken from the answers: a guess that was taken twice shows "
            "only in the events that the service tells of an ended game."
        )
        if open_games:
            report.unchecked.append(
                f"Of {open_games:,} games no events were told: they have not ended, or nobody asked."
            )
    if log is None or not postgres_url:
        report.unchecked.append("The tables could not be reached: no projection was compared with a fresh fold.")
    else:
        await _tables(report, log, postgres_url)
    return report


def _count(report: Report, entries: Sequence[Entry]) -> None:
    for entry in entries:
        match entry:
            case Taken():
                report.acknowledged += 1
            case Seen():
                report.views += 1
            case Audited():
                report.audits += 1
            case _:
                pass


def _note(report: Report, game: GameId, problems: Iterable[str]) -> None:
    report.problems += [f"{game}: {problem}" for problem in problems][: max(0, MOST - len(report.problems))]


async def _tables(report: Report, log: Log, postgres_url: str) -> None:
    for name, projection in PROJECTIONS.items():
        for found in await rebuild.check(postgres_url, log, projection, lambda _done, _end: None):
            report.problems.append(f"{found.table}: {found.live or 'no row'} must be {found.fresh or 'no row'}")
        report.projections.append(name)
    async with snapshot(postgres_url) as tables:
        audited = await audit_all(log, tables, lambda _done, _end, _events: None)
    for game, problems in audited.problems.items():
        _note(report, game, problems)
    report.problems += audited.rest

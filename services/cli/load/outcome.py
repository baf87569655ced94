"""What a load has come to: shown in a terminal, and added to the saved report."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

import click
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from services.cli.load.plan import Line, Measured
from services.cli.load.verify import Report

SHOWN = 20
"""Problems that are shown; the answer in JSON has more."""

WIDTH = 120  # columns: lines that are too long for the terminal are better than broken ones
HEADINGS = ("request", "count", "failed", "a second", "p50 ms", "p95", "p99", "p99.9")


class Outcome(Struct, frozen=True, kw_only=True):
    """A load and its verification."""

    address: str
    users: int
    measured: Measured
    verified: Report

    @property
    def errors(self) -> float:
        """The share of requests, 0 to 1, without an answer or with one that says to come back (429, 5xx)."""
        return self.measured.total.failed / max(1, self.measured.total.count)

    def failed(self, most: float) -> list[str]:
        """Why the load counts as failed; empty if it does not."""
        why = []
        if self.verified.problems:
            why.append(f"{len(self.verified.problems):,} of what players were told is not so")
        if self.errors > most:
            why.append(f"{self.errors:.2%} of the requests failed, and at most {most:.2%} may")
        if self.measured.exceptions:
            why.append(f"players met what they were not made for: {self.measured.exceptions[0]}")
        if not self.measured.guesses:
            why.append("no guess was taken")
        return why


def show(found: Outcome) -> None:
    """Print the figures and the verification."""
    table = Table(*HEADINGS, box=None, padding=(0, 2, 0, 0))
    for column in table.columns[1:]:
        column.justify = "right"
    for line in (*found.measured.lines, found.measured.total):
        table.add_row(*_cells(line))
    Console(width=WIDTH, markup=False, highlight=False).print(table, no_wrap=True, crop=False)
    for text in _of_all(found):
        click.echo(text)


def _cells(line: Line) -> tuple[str, ...]:
    times = (f"{time:,.1f}" for time in (line.p50, line.p95, line.p99, line.p999))
    return (line.name, f"{line.count:,}", f"{line.failed:,}", f"{line.rate:,.1f}", *times)


def _of_all(found: Outcome) -> Iterable[str]:
    measured = found.measured
    yield (
        f"{measured.guesses:,} guesses acknowledged in {measured.seconds:,.1f} s "
        f"({measured.guesses / measured.seconds:,.1f}/s); {measured.views:,} views; "
        f"{measured.reconnects:,} sockets opened again"
    )
    yield f"No guess could be taken for {measured.down:,.1f} s; the longest wait was {measured.longest_wait:,.2f} s"
    yield from of_report(found.verified)


def of_report(report: Report) -> Iterable[str]:
    """A verification in lines of text."""
    refusals = sorted(report.refusals.items(), key=lambda one: -one[1])
    yield "Refusals: " + (", ".join(f"{code} {count:,}" for code, count in refusals) or "none")
    yield (
        f"Compared: {report.acknowledged:,} acknowledged commands, {report.views:,} views and {report.audits:,} audits "
        f"of {report.games:,} games; projections: {', '.join(report.projections) or 'none'}"
    )
    yield from (f"Not compared: {text}" for text in report.unchecked)
    yield from (f"  {problem}" for problem in report.problems[:SHOWN])
    count = len(report.problems)
    if count > SHOWN:
        yield f"  and {count - SHOWN:,} more"
    yield f"{count:,} difference{'' if count == 1 else 's'}." if count else "All is right."


def add_to(file: Path, found: Outcome) -> None:
    """Put the figures and the verification on top of Locust's report. Raises `OSError`."""
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(line))}</tr>"
        for line in (*found.measured.lines, found.measured.total)
    )
    head = "".join(f"<th>{escape(heading)}</th>" for heading in HEADINGS)
    texts = "".join(f"<p>{escape(text)}</p>" for text in _of_all(found))
    section = (
        '<section style="font-family:sans-serif;margin:2rem"><h1>wordyard load</h1>'
        f"<p>{found.users:,} players at {escape(found.address)}</p>{texts}"
        f'<table cellpadding="4"><tr>{head}</tr>{rows}</table></section>'
    )
    file.write_text(file.read_text().replace("<body>", f"<body>{section}", 1))

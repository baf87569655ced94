"""`wordyard daily`: what an operator may know of the Daily, and nobody else."""

import os
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import islice
from pathlib import Path

import click
import msgspec

from libs.core import daily_order
from libs.core.calendar import eastern_day
from libs.core.daily import editions
from libs.core.daily_order import FIRST_DAY, Edition
from libs.runtime.clock import clock
from libs.runtime.settings import PREFIX, SHORTEST_DAILY_KEY, BadSetting, read
from services.cli.folder import DEFAULT, Folder

_FROM_A_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})=(.+)", re.DOTALL)


@click.group()
def daily() -> None:
    """The Daily."""


@daily.command("order")
@click.option("--from", "first", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="The first day (today).")
@click.option("--days", type=click.IntRange(min=1), default=7, show_default=True, help="How many days.")
@click.option("--key-file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Where the key is.")
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="[DAY=]FILE",
    help=f"Words, one a line, from {FIRST_DAY} on, or from that day on; may be given again (else: our own lists).",
)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=f"The data folder of `wordyard up` that has the key (else: {PREFIX}DAILY_KEY, else {DEFAULT}/).",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def order(
    first: datetime | None, days: int, key_file: Path | None, lists: Sequence[str], data: Path | None, as_json: bool
) -> None:
    """Print the words of these days, as the service finds them. They are secrets: mind who looks on.

    Nothing needs to run. With a key and lists in files it asks nobody else.
    """
    if key_file and data:
        raise click.UsageError("the key is in --key-file or in --data")
    day = first.date() if first else eastern_day(clock()())
    if day < FIRST_DAY:
        raise click.UsageError(f"the first day is {FIRST_DAY}")
    key = _key(key_file, data)
    try:
        given = sorted(map(_edition, lists), key=lambda edition: edition.from_day)
        found = [*_words(key, given or editions(), day, days)]
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(msgspec.json.encode([{"day": day, "word": word} for day, word in found]))
    else:
        for day, word in found:
            click.echo(f"{day} {word}")


def _words(key: bytes, lists: Sequence[Edition], first: date, days: int) -> Iterator[tuple[date, str]]:
    begin = (first - FIRST_DAY).days
    return islice(daily_order.words(key, lists), begin, begin + days)


def _edition(text: str) -> Edition:
    """A list as it was named. Raises `OSError` or `ValueError`."""
    found = _FROM_A_DAY.fullmatch(text)
    day, file = (date.fromisoformat(found[1]), found[2]) if found else (FIRST_DAY, text)
    return Edition(day, tuple(Path(file).read_text(encoding="utf-8").split()))


def _key(key_file: Path | None, data: Path | None) -> bytes:
    try:
        if key_file is not None:
            text = key_file.read_text(encoding="utf-8").strip()
            if len(text) < SHORTEST_DAILY_KEY:
                raise click.ClickException(f"{key_file}: {SHORTEST_DAILY_KEY} characters or more are needed")
            return text.encode()
        if data is None and PREFIX + "DAILY_KEY" in os.environ:
            return read().key_of_daily
    except (BadSetting, OSError, UnicodeDecodeError) as error:
        raise click.ClickException(str(error)) from None
    file = Folder(data or DEFAULT).path / "daily_key"
    if not file.exists():
        raise click.ClickException(f"There is no key of the Daily in {file.parent}. Name a folder with --data.")
    return file.read_text().encode()

"""`wordyard daily order`: the words of coming days, offline, by the very code that the service runs."""

from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from libs.core import daily
from libs.core.daily_order import FIRST_DAY
from services.cli.__main__ import main
from services.cli.folder import Folder
from tests.given import DAILY_KEY


def order(*options: str, **variables: str) -> Result:
    return CliRunner().invoke(main, ["daily", "order", *options], env=variables)


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    file = tmp_path / "key"
    file.write_text(DAILY_KEY.decode() + "\n")
    return str(file)


def write(file: Path, *words: str) -> str:
    file.write_text("".join(f"{word}\n" for word in words))
    return str(file)


def test_it_prints_the_words_that_the_service_plays(key_file: str) -> None:
    done = order("--key-file", key_file, "--from", "2026-01-14", "--days", "3")
    assert done.exit_code == 0
    assert done.stdout == "2026-01-14 miner\n2026-01-15 quote\n2026-01-16 vying\n"
    assert daily.secret_of(DAILY_KEY, date(2026, 1, 15)).word == "quote"


def test_it_answers_in_json(key_file: str) -> None:
    done = order("--key-file", key_file, "--from", "2026-01-15", "--days", "1", "--json")
    assert msgspec.json.decode(done.stdout) == [{"day": "2026-01-15", "word": "quote"}]


def test_it_takes_a_list_that_grows(key_file: str, tmp_path: Path) -> None:
    first, second = [f"w{number:04}" for number in range(400)], [f"w{number:04}" for number in range(500)]
    plain, grown = write(tmp_path / "one", *first), write(tmp_path / "two", *second)
    options = ("--key-file", key_file, "--from", "2026-01-01", "--days", "500", "--json")
    before = msgspec.json.decode(order(*options, "--list", plain).stdout)
    found = msgspec.json.decode(order(*options, "--list", f"2026-02-01={grown}", "--list", plain).stdout)
    assert found[:31] == before[:31]
    assert found[31:] != before[31:]
    assert sorted(entry["word"] for entry in found) == second


def test_the_key_of_a_data_folder_is_drawn_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    key = folder.daily_key()
    assert len(key) >= 32
    assert folder.daily_key() == key != folder.secret_key()
    assert (tmp_path / "daily_key").stat().st_mode & 0o077 == 0
    done = order("--data", str(tmp_path), "--from", "2026-01-15", "--days", "1")
    assert done.stdout == f"2026-01-15 {daily.secret_of(key.encode(), date(2026, 1, 15)).word}\n"


def test_without_a_file_or_a_folder_it_is_the_key_of_the_environment() -> None:
    done = order("--from", "2026-01-15", "--days", "1", WORDYARD_DAILY_KEY=DAILY_KEY.decode())
    assert done.stdout == "2026-01-15 quote\n"


def test_it_begins_today_if_no_day_is_named(key_file: str) -> None:
    (entry,) = msgspec.json.decode(order("--key-file", key_file, "--days", "1", "--json").stdout)
    assert date.fromisoformat(entry["day"]) > FIRST_DAY


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "2025-12-31"], "the first day is 2026-01-01"),
        (["--days", "0"], "x>=1"),
        (["--list", "2026-02-01={empty}"], "the first list is that of 2026-01-01"),
        (["--list", "{empty}"], "a list without words"),
        (["--list", "{empty}", "--list", "{empty}"], "each list begins after the one before it"),
        (["--list", "{empty}.not"], "No such file"),
        (["--list", "2026-02-30={empty}"], "day"),
        (["--data", "{folder}"], "--key-file or in --data"),
    ],
)
def test_what_makes_no_sense_is_told(key_file: str, tmp_path: Path, options: list[str], said: str) -> None:
    places = {"empty": write(tmp_path / "empty"), "folder": str(tmp_path)}
    done = order("--key-file", key_file, *(option.format(**places) for option in options))
    assert done.exit_code != 0
    assert said in done.stderr


def test_a_key_that_is_too_short_or_missing_is_told(tmp_path: Path) -> None:
    assert "32 characters" in order("--key-file", write(tmp_path / "short", "short")).stderr
    assert "32 characters" in order(WORDYARD_DAILY_KEY="short").stderr
    assert "no key of the Daily" in order("--data", str(tmp_path)).stderr


def test_there_is_a_word_in_a_hundred_years_too(key_file: str) -> None:
    day = FIRST_DAY + timedelta(days=36_525)
    assert order("--key-file", key_file, "--from", str(day), "--days", "1").stdout.startswith(f"{day} ")

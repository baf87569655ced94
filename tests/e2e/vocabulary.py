"""What the product says whatever the secret is: finding a word among it proves nothing about who was told what."""

from datetime import date, timedelta
from functools import cache
from pathlib import Path

import services.api
from libs.core import calls, daily
from services.cli.folder import Folder

AHEAD = 9  # days whose words are looked for


@cache
def _ours() -> str:
    """Pages, texts, names of fields and addresses."""
    api, core = Path(*services.api.__path__), Path(calls.__file__).parent
    files = [
        *api.glob("*.py"),
        *api.glob("web/app/**/*.js"),
        api / "web/index.html",
        api / "web/i18n/en.json",
        *core.glob("games/**/*.py"),
        core / "calls.py",
    ]
    return "\n".join(file.read_text() for file in files).lower()


def said_anyway(word: str) -> bool:
    """Whether a page or an answer may hold this word by itself: `media`, `state`, `guess`."""
    return word in _ours()


def word_in(data: Path, day: date) -> str:
    """The word of a day of the service in this folder; draws its key if it has none yet."""
    return daily.secret_of(Folder(data).daily_key().strip().encode(), day).word


def draw_key(data: Path, day: date) -> None:
    """Draw the key of the Daily for a new service, so that no word from this day on is `said_anyway`."""
    while any(said_anyway(word_in(data, day + timedelta(days=ahead))) for ahead in range(AHEAD)):
        (data / "daily_key").unlink()

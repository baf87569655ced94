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


def draw_key(data: Path, day: date) -> None:
    """Draw the key of the Daily for a new service, so that no word from this day on is `said_anyway`."""
    folder = Folder(data)
    while any(
        said_anyway(daily.secret_of(folder.daily_key().strip().encode(), day + timedelta(days=ahead)).word)
        for ahead in range(AHEAD)
    ):
        (data / "daily_key").unlink()

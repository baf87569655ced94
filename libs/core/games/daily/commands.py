"""What may be asked of an attempt at the Daily."""

from datetime import date
from typing import TypeAlias

from libs.core.messages import Command


class Guess(Command, frozen=True, kw_only=True, tag="guess"):
    """Guess the word of the day; the first guess makes the attempt. One that names its day is for no other day."""

    word: str
    day: date | None = None


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Give up: not possible in the Daily, which ends by itself."""


class Wake(Command, frozen=True, kw_only=True, tag="wake"):
    """Ask the attempt whether its day is over. The clock's alone."""


DailyMove: TypeAlias = Guess | Resign
DailyCommand: TypeAlias = DailyMove | Wake

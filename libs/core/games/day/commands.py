"""What may be asked of a day."""

from datetime import date
from typing import TypeAlias

from libs.core.messages import Command


class Announce(Command, frozen=True, kw_only=True, tag="announce"):
    """Publish the commitment to the word of this day. The clock's alone."""

    day: date


class Wake(Command, frozen=True, kw_only=True, tag="wake"):
    """Ask whether the day is over. The clock's alone."""


DayMove: TypeAlias = Announce
DayCommand: TypeAlias = DayMove | Wake

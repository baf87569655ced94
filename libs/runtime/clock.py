"""The only file that asks what time it is."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Answers with now, in UTC."""


def clock(offset: timedelta = timedelta()) -> Clock:
    """A clock that runs this far ahead of the machine's."""
    return lambda: datetime.now(UTC) + offset

"""What a result of the Daily is worth beside the others of its day: guesses, then time.

Time is told, and compared, in whole milliseconds. Who has not found the word comes last, whatever the time.
"""

from collections.abc import Iterable

from libs.core.games.guesses import GUESSES

FAILED = GUESSES + 1
"""The number of guesses that stands for all used and the word not found."""

ALL, MINUTE, SECOND = 0, 60_000, 1000
"""How wide the buckets are, in milliseconds, in which a day's results are counted; `ALL`: one for any time.

With the coarse ones, how many are better than a score is a sum of at most 1,500 minutes and 60 seconds, however many
results there are.
"""


def buckets(guesses: int, elapsed_ms: int | None) -> Iterable[tuple[int, int]]:
    """Where a result counts: the widths and the numbers of its buckets."""
    yield ALL, 0
    if guesses != FAILED and elapsed_ms is not None:
        yield MINUTE, elapsed_ms // MINUTE
        yield SECOND, elapsed_ms // SECOND


def percentile(worse: int, equal: int, finished: int) -> float:
    """The share of all who have finished, in percent, that have a worse score; equals, oneself too, count half.

    Raises `ZeroDivisionError` if nobody has finished.
    """
    return round(100 * (worse + equal / 2) / finished, 2)

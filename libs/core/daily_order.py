"""The order of the Daily's words: one for each Eastern day, round after round through the whole list, under a key.

It is a function of the key and of the lists alone, so every replica and every release finds the same; without the key
nothing can be told of the days to come, however many words are known.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from hmac import digest
from itertools import islice, pairwise

from msgspec import Struct

FIRST_DAY = date(2026, 1, 1)
"""The first place of the first round."""

APART = 365
"""A word does not come again within this many days, as long as the list has more words than that."""


class Edition(Struct, frozen=True):
    """The words that the Daily has from a day on; what of them stands where is not for this list to say."""

    from_day: date
    words: tuple[str, ...]


def words(key: bytes, editions: Sequence[Edition]) -> Iterator[tuple[date, str]]:
    """Each day with its word, from `FIRST_DAY` on, without end.

    A new edition changes nothing before its day. On it, what the running round has not used yet is put in a new order:
    words that are new come in, words that are gone fall out. Raises `ValueError` unless the editions begin with
    `FIRST_DAY`, follow each other and have words.
    """
    _check(editions)
    lists = {edition.from_day: tuple(dict.fromkeys(edition.words)) for edition in editions}
    current = lists.pop(FIRST_DAY)
    number, rest, used = 0, _sorted(key, current, 0), set[str]()
    last: dict[str, date] = {}
    for place in range((date.max - FIRST_DAY).days):
        day = FIRST_DAY + timedelta(days=place)
        if day in lists:
            current = lists[day]
            rest = _sorted(key, set(current) - used, number, day)
        if not rest:
            number, used = number + 1, set()
            rest = _sorted(key, current, number)
        word = rest.pop(_first_rested(rest, last, day) if len(current) > APART else 0)
        used.add(word)
        last[word] = day
        yield day, word


def word_of(key: bytes, editions: Sequence[Edition], day: date) -> str:
    """The word of a day. Raises `ValueError` for a day before `FIRST_DAY`, and as `words` does."""
    if day < FIRST_DAY:
        raise ValueError(f"the first day is {FIRST_DAY}")
    _, word = next(islice(words(key, editions), (day - FIRST_DAY).days, None))
    return word


def _check(editions: Sequence[Edition]) -> None:
    days = [edition.from_day for edition in editions]
    if not days or days[0] != FIRST_DAY:
        raise ValueError(f"the first list is that of {FIRST_DAY}")
    if any(later <= earlier for earlier, later in pairwise(days)):
        raise ValueError("each list begins after the one before it")
    if not all(edition.words for edition in editions):
        raise ValueError("a list without words")


def _sorted(key: bytes, some: Iterable[str], number: int, day: date | None = None) -> list[str]:
    """These words in the order of a round, or of what is left of it from a day on."""
    begin = f"round {number} " if day is None else f"round {number} {day} "
    return sorted(some, key=lambda word: digest(key, (begin + word).encode(), "sha256"))


def _first_rested(rest: Sequence[str], last: dict[str, date], day: date) -> int:
    """The place of the first word that did not come within the days before; there always is one.

    Of the n words of a list that has more than 365, j were used in this round. Of the others, no more than 365 - j came
    in the last 365 days, for on j of these days words of this round came; n - j are more than that.
    """
    since = day - timedelta(days=APART)
    return next(place for place, word in enumerate(rest) if last.get(word, date.min) < since)

"""The first rows that are asked most: popular openings with the marks that most secrets give them."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from libs.core.board import Row
from libs.core.marks import from_number
from services.solver.addends import patterns
from services.solver.letters import Letters

COUNT = 100
POPULAR = (
    "adieu", "arise", "atone", "audio", "canoe", "crane", "crate", "heart", "house", "irate", "least", "ocean", "raise",
    "react", "roast", "slant", "slate", "slice", "stain", "stare", "tares", "tears", "trace", "train", "weary",
)  # fmt: skip


def first_rows(letters: Letters, secrets: Sequence[str], count: int = COUNT) -> tuple[Row, ...]:
    """The rows that popular openings would most often get, if every secret were as likely; most common first."""
    hidden = np.array([letters.ids[secret] for secret in secrets if secret in letters.ids])
    rows: Counter[Row] = Counter()
    for guess in POPULAR:
        for number, times in enumerate(np.bincount(patterns(letters, guess)[hidden]).tolist()):
            rows[Row(guess, from_number(number))] = times
    return tuple(row for row, _ in rows.most_common(count))

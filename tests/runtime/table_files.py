"""What a numbered table file must not do while copies of the release before it use the tables."""

import re
from collections.abc import Iterable

from libs.runtime.steps import Step

DESTRUCTIVE = {
    r"\bdrop\s+(table|schema|view|function|type|sequence|trigger|rule)\b": "takes away what older copies use",
    r"\balter\s+table\b.*\bdrop\b(?!\s+(not\s+null|default)\b)": "takes away what older copies use",
    r"\brename\b": "older copies know the old name",
    r"\b(truncate|delete\s+from)\b": "takes away rows that older copies use",
    r"\balter\s+table\b.*\bset\s+not\s+null\b": "older copies may write none; reads the table under a lock",
    r"\balter\s+table\b.*\badd\b[^,]*\bnot\s+null\b(?![^,]*\bdefault\b)": "older copies do not fill it",
    r"\balter\s+table\b.*\btype\b": "writes the whole table anew under a lock",
}
"""What a contract step may do, and no other."""

HEAVY = {
    r"\balter\s+table\b.*\badd\b[^,]*\bdefault\s+\w*\s*\(?[^,]*\b(random|gen_random_uuid|clock_timestamp|nextval)\b": (
        "writes the whole table anew under a lock"
    ),
    r"\balter\s+table\b.*\b(add|alter)\b[^,]*\bgenerated\b": "writes the whole table anew under a lock",
    r"\balter\s+table\b.*\b(unique|primary\s+key|check|references|foreign\s+key|exclude)\b(?!.*\bnot\s+valid\b)": (
        "reads the whole table under a lock: add the constraint as not valid, and validate it in a later file"
    ),
    r"\b(vacuum\s+full|cluster|lock\s+table)\b": "locks the whole table",
    r"\bupdate\s+[\w.]+\s+set\b": "changes every row in one transaction: let the service fill the column bit by bit",
}
"""What no step may do to a table that was there before."""

INDEX = re.compile(r"\bcreate\s+(?:unique\s+)?index\b(?P<how>.*?)\bon\s+(?:only\s+)?(?P<table>[\w.]+)")
REINDEX = re.compile(r"\b(drop\s+index|reindex)\b(?!.*\bconcurrently\b)")
REPEATABLE = re.compile(r"\bif\s+(not\s+)?exists\b|\bvalidate\s+constraint\b")
MADE = re.compile(r"\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([\w.]+)")
ABOUT = re.compile(
    r"\b(?:alter\s+table\s+(?:if\s+exists\s+)?|update\s+|delete\s+from\s+|truncate\s+)(?:only\s+)?([\w.]+)"
)


def faults(step: Step, release: tuple[int, ...] = (), contract: tuple[int, ...] = ()) -> Iterable[str]:
    """Why a file may not be applied while others use the tables; `contract` is its own, `release` the one it is in."""
    if step.contract and contract > release:
        yield f"{step.name}: a release that comes later than this one does without"
    made: set[str] = set()
    for statement in statements(step.sql):
        made |= set(MADE.findall(statement))
        about = ABOUT.search(statement)
        if about is None or about[1] not in made:
            found = HEAVY if step.contract else HEAVY | DESTRUCTIVE
            yield from (f"{why}: {statement}" for pattern, why in found.items() if re.search(pattern, statement))
        index = INDEX.search(statement)
        beside = index is not None and "concurrently" in index["how"]
        if (index and not beside and index["table"] not in made) or REINDEX.search(statement):
            yield f"nobody can write meanwhile: make it concurrently, outside of transactions: {statement}"
        if beside and not step.outside:
            yield f"impossible in a transaction: {statement}"
        if step.outside and not REPEATABLE.search(statement):
            yield f"cannot be repeated: {statement}"


def statements(sql: str) -> list[str]:
    """The statements of a file on a line each, in small letters and without comments."""
    plain = re.sub(r"--[^\n]*", "", sql).lower()
    return [" ".join(one.split()) for one in plain.split(";") if one.strip()]

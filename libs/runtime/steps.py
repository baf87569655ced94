"""The numbered table files: what each does to a database that older copies still use, and what a database has of them.

A file adds, unless its first lines say otherwise:

    -- contract: 0.3.0                 what it takes away was last needed by the release before 0.3.0
    -- outside of transactions         each statement by itself, so that play goes on; each can be repeated
"""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import Literal

from msgspec import Struct

TABLES = ("services.game.tables", "services.api.tables", "services.solver.tables")
"""Where the numbered table files are; their numbers count on their own in each."""

APPLIED = "select name, to_jsonb(m) ->> 'needs' from migrations m"
"""The files that were applied, each with its `contract`; also where the table does not have that yet."""

_CONTRACT = re.compile(r"^-- contract: (\d+(?:\.\d+)+)\b", re.MULTILINE)
_OUTSIDE = re.compile(r"^-- outside of transactions\b", re.MULTILINE)


class Step(Struct, frozen=True, kw_only=True):
    """One file."""

    name: str  # services.api.tables/0001_accounts.sql
    sql: str
    contract: str = ""  # the first release that does without what is taken away; empty: nothing is
    outside: bool = False  # of transactions


class Fit(Struct, frozen=True):
    """How the tables suit this release: those that are `newer` suit it too. `what` says it in words."""

    state: Literal["exact", "newer", "older", "gone"]
    what: str = ""

    @property
    def good(self) -> bool:
        """Can this release work with them?"""
        return self.state in ("exact", "newer")


def release() -> str:
    """The number of this release."""
    return version("wordyard")


def number(text: str) -> tuple[int, ...]:
    """A release's number, to be compared with others; what follows its figures does not count."""
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def step(name: str, sql: str) -> Step:
    """A file of this name with these contents."""
    contract = _CONTRACT.search(sql)
    return Step(name=name, sql=sql, contract=contract[1] if contract else "", outside=bool(_OUTSIDE.search(sql)))


def steps(packages: Iterable[str] = TABLES) -> list[Step]:
    """The files of these packages in their order."""
    found = []
    for package in packages:
        named = {file.name: file for file in files(package).iterdir() if file.name.endswith(".sql")}
        found += [step(f"{package}/{name}", named[name].read_text()) for name in sorted(named)]
    return found


def fit(applied: Mapping[str, str], packages: Iterable[str] = TABLES) -> Fit:
    """How tables suit this release to which these files were applied, each with the release from which on it does."""
    packages = tuple(packages)
    own = {one.name: one for one in steps(packages)}
    unknown = {name: needs for name, needs in applied.items() if name not in own and name.startswith(packages)}
    if gone := [f"{name} ({needs})" for name, needs in unknown.items() if needs and number(needs) > number(release())]:
        return Fit("gone", f"what release {release()} needs was taken away by {', '.join(sorted(gone))}")
    if missing := [name for name, one in own.items() if name not in applied and not one.contract]:
        return Fit("older", f"they lack {', '.join(missing)}")
    return Fit("newer", f"they have {', '.join(sorted(unknown))}") if unknown else Fit("exact")

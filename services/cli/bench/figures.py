"""Figures: percentiles of times, and a table of what was measured against its goal."""

from collections.abc import Sequence

from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Figure(Struct, frozen=True, kw_only=True):
    """One measured value; `goal` is words such as "at least 0.6", `met` whether it was reached (none: no goal)."""

    name: str
    value: float
    unit: str
    goal: str = ""
    met: bool | None = None


def at_least(name: str, value: float, unit: str, goal: float) -> Figure:
    """A figure that should not be smaller than its goal."""
    return Figure(name=name, value=value, unit=unit, goal=f"at least {goal:g}", met=value >= goal)


def at_most(name: str, value: float, unit: str, goal: float) -> Figure:
    """A figure that should not be larger than its goal."""
    return Figure(name=name, value=value, unit=unit, goal=f"at most {goal:g}", met=value <= goal)


def plain(name: str, value: float, unit: str) -> Figure:
    """A figure without a goal."""
    return Figure(name=name, value=value, unit=unit)


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share (0 to 1) of the sorted times does not exceed."""
    return times[min(len(times) - 1, int(share * len(times)))]


def show(figures: Sequence[Figure]) -> None:
    """Print the table."""
    table = Table("figure", "value", "goal", "", title="wordyard bench")
    for figure in figures:
        seen = "" if figure.met is None else "[green]met[/green]" if figure.met else "[red]missed[/red]"
        table.add_row(figure.name, f"{figure.value:,.4g} {figure.unit}", figure.goal, seen)
    Console().print(table)

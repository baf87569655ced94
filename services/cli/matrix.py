"""`wordyard matrix`: makes what the solver works with."""

import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from libs.core import lexicon
from libs.runtime.settings import BadSetting, read
from services.solver import build_kernel, kernel, letters, openings, place
from services.solver import matrix as matrices

T = TypeVar("T")


@click.group()
def matrix() -> None:
    """The solver's matrix."""


@matrix.command("build")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Where to keep it (WORDYARD_SOLVER_FOLDER, or share/wordyard of this Python environment, unless told).",
)
@click.option("--openings", "with_openings", is_flag=True, help="Also write the openings of the newest edition anew.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def build(folder: Path | None, with_openings: bool, as_json: bool) -> None:
    """Compile the kernel where there is a compiler, and build the matrix of the newest word list, whatever is there."""
    try:
        home = folder or place.folder(read().solver_folder)
        made = _build(home, with_openings)
    except (BadSetting, OSError, matrices.BadMatrix) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(msgspec.json.encode(made))
    else:
        for name, value in made.items():
            click.echo(f"{name:9} {value}")


def _build(home: Path, with_openings: bool) -> dict[str, Any]:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)

        def timed(name: str, work: Callable[[], T]) -> tuple[T, float]:
            progress.update(task, description=name)
            start = time.perf_counter()
            return work(), time.perf_counter() - start

        words = letters.newest()
        made: dict[str, Any] = {"words": words.digest}
        try:
            timed("compiling the kernel", lambda: build_kernel.build(home))
        except build_kernel.NotBuilt as reason:
            made["why"] = str(reason)
        runs = kernel.load(words, home)
        file = matrices.home(home, words)
        built, seconds = timed("building the matrix", lambda: matrices.build(words))
        timed("writing the matrix", lambda: matrices.write(file, words, built))
        timed("checking the matrix", lambda: matrices.read(file, words))
        made |= {
            "kernel": runs.name,
            "file": str(file),
            "sha256": matrices.checksum(built),
            "seconds": round(seconds, 3),
        }
        if with_openings:
            edition = Path(str(files("libs.core"))) / "words" / lexicon.newest().edition
            found, _ = timed("ranking every word", lambda: openings.work_out(words, runs))
            made["openings"] = str(openings.write(found, edition))
    return made

"""Where the solver keeps what can be made again at any time: the matrix and the compiled kernel."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def folder(chosen: str = "") -> Path:
    """The chosen folder, else the one that belongs to this Python environment; it need not exist."""
    return Path(chosen) if chosen else Path(sys.prefix) / "share" / "wordyard"


@contextmanager
def draft(home: Path) -> Iterator[Path]:
    """A path beside `home` to write to, put in its place at the end: others see the old file or the whole new one.

    Makes the folder. Nothing is left behind after an error.
    """
    home.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=home.parent, prefix=f".{home.name}.")
    path = Path(name)
    try:
        yield path
        os.fchmod(handle, 0o644)
        os.fsync(handle)
        path.replace(home)
    finally:
        os.close(handle)
        path.unlink(missing_ok=True)

"""python -m services.solver.build_kernel [FOLDER]: compiles the kernel, where the machine has a C compiler.

It is plain C without Python's headers, so any compiler will do. Without one the solver runs on numpy.
"""

import os
import platform
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from services.solver import place

FLAGS = ("-O3", "-std=gnu11", "-shared", "-fPIC", "-x", "c")
COMPILERS = ("cc", "gcc", "clang")


class NotBuilt(RuntimeError):
    """There is no kernel in C, and why."""


def library(folder: Path) -> Path:
    """Where the kernel of this source and this kind of machine is, once it is built."""
    made_from = sha256(_source() + " ".join(FLAGS).encode()).hexdigest()[:12]
    return folder / f"kernel-{made_from}-{sys.platform}-{platform.machine()}.so"


def is_whole(home: Path) -> bool:
    """Is the kernel there, to the last byte as it was compiled? To load a damaged one can end the process."""
    try:
        return _hash(home) == _seal(home).read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return False


def build(folder: Path) -> Path:
    """Compile the kernel into this folder, unless it is there and whole. Raises `NotBuilt`."""
    home = library(folder)
    if is_whole(home):
        return home
    compiler = next(filter(None, map(shutil.which, (os.environ.get("CC", ""), *COMPILERS))), None)
    if compiler is None:
        raise NotBuilt("no C compiler")
    try:
        with place.draft(home) as path:
            subprocess.run([compiler, *FLAGS, "-o", path, "-"], input=_source(), capture_output=True, check=True)
            compiled = _hash(path)
        with place.draft(_seal(home)) as path:
            path.write_text(compiled)
    except subprocess.CalledProcessError as error:
        raise NotBuilt(f"{compiler}: {error.stderr.decode(errors='replace').strip()}") from None
    except OSError as error:
        raise NotBuilt(str(error)) from None
    return home


def _seal(home: Path) -> Path:
    return home.with_suffix(".sha256")


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _source() -> bytes:
    return files("services.solver").joinpath("kernel.c").read_bytes()


def main() -> None:
    """Build, and say what came of it; a machine without a compiler is no failure."""
    try:
        said = f"solver kernel: {build(place.folder(*sys.argv[1:2]))}"
    except NotBuilt as reason:
        said = f"solver kernel: numpy ({reason})"
    sys.stdout.write(said + "\n")


if __name__ == "__main__":
    main()

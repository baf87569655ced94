"""Waiting for processes that others may have started."""

import time
from collections.abc import Sequence

import psutil


def have_ended(processes: Sequence[psutil.Process], seconds: float) -> bool:
    """Wait until all have ended; answers whether they did within `seconds`.

    One that its parent has not yet taken note of counts as ended: it holds no file and no port.
    """
    deadline = time.monotonic() + seconds
    while not all(_has_ended(process) for process in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _has_ended(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True

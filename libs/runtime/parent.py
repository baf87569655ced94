"""Ends this process when the one that started it is gone, however that died. Never used by services started by hand."""

import ctypes
import os
import signal
import sys
import threading
import time

PARENT = "WORDYARD_PARENT"
"""The variable by which a supervisor says: end when I, the process with this id, am gone."""

_PR_SET_PDEATHSIG = 1


def follow() -> None:
    """From now on get SIGTERM when the process named in `WORDYARD_PARENT` is gone; nothing if none is named."""
    parent = int(os.environ.get(PARENT, 0))
    if not parent:
        return
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    threading.Thread(target=_watch, args=(parent,), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:  # also outside of Linux, and if it had died before we asked
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(15)
    os._exit(1)

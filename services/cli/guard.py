"""python -m services.cli.guard FOLDER PID [--remove]: cleans up when `wordyard up` died without doing so itself.

It waits for the end of its standard input, which is the end of `up`. If then nobody else has taken the folder, it ends
the services that `up` (PID) had started, stops the servers, and removes the folder if told to.
"""

import os
import shutil
import signal
import sys
from pathlib import Path

LAST_WORDS = 8.0  # seconds for the services to end


def main() -> None:
    """Wait, then clean up."""
    path, pid, *options = sys.argv[1:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(0, 1024):
        pass
    if Path(path).exists():
        clean_up(Path(path), pid)
        if "--remove" in options:
            shutil.rmtree(path, ignore_errors=True)


def clean_up(path: Path, pid: str) -> None:
    """End what this `up` has left running."""
    # only now, when there is something to do: a guard that waits should cost nothing
    import psutil

    from libs.runtime.parent import PARENT
    from services.cli.folder import Folder, InUse

    folder = Folder(path)
    try:
        folder.hold()
    except InUse:
        return
    left = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(PARENT) == pid:
                left.append(process)
        except psutil.Error:  # gone, or not ours to look at
            continue
    for process in left:
        process.terminate()
    for process in psutil.wait_procs(left, LAST_WORDS)[1]:
        process.kill()
    folder.nats.stop()
    folder.postgres.stop()
    folder.release()


if __name__ == "__main__":
    main()

"""What can go wrong when a server is started."""

from pathlib import Path


class StartFailed(RuntimeError):
    """A server did not start; says which, and the last lines of its own log."""

    def __init__(self, what: str, log: Path) -> None:
        lines = log.read_text(errors="replace").splitlines()[-8:] if log.exists() else []
        super().__init__("\n".join([f"{what} did not start (its log: {log})", *lines]))

"""The data folder of an embedded service: what is where in it, and who may use it.

One process at a time holds the folder. The lock is the system's own, so it ends with its holder however that dies.
"""

import fcntl
import os
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from libs.runtime import ids
from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.embedded.nats_server import Sync

DEFAULT = Path(".wordyard")
KEYS = ("secret_key", "daily_key", "push_key")
"""Files with what is drawn once and never again."""


class InUse(RuntimeError):
    """Another process holds the folder; `holder` says which, if it has said so."""

    def __init__(self, holder: "Holder | None") -> None:
        super().__init__("the data folder is in use")
        self.holder = holder


class Holder(Struct, frozen=True, kw_only=True):
    """Who holds the folder, as they wrote into the lock file."""

    pid: int
    address: str = ""  # where the service answers; empty until it does


class Folder:
    """Everything that an embedded service keeps, below one path."""

    def __init__(self, path: Path, sync: Sync = "always") -> None:
        self.path = path.resolve()
        self.logs = self.path / "logs"
        self._sync = sync
        self._lock: IO[Any] | None = None

    @property
    def there(self) -> bool:
        """Is it still where it was when it was taken?"""
        return (self.path / "lock").exists()

    @property
    def nats(self) -> NatsServer:
        """The server of the log."""
        return NatsServer(self.path / "nats", sync=self._sync)

    @property
    def postgres(self) -> Postgres:
        """The server of the projections, accounts and tasks."""
        return Postgres(self.path / "postgres")

    def hold(self) -> None:
        """Make the folder if it is missing, and take it for this process alone. Raises `InUse`."""
        for folder in (self.path, self.logs):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (self.path / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise InUse(self.holder()) from None
        self._lock = lock

    def sign(self, address: str = "") -> None:
        """Say who holds the folder, and where it answers; only for the holder."""
        (self.path / "holder.json").write_bytes(msgspec.json.encode(Holder(pid=os.getpid(), address=address)))

    def holder(self) -> Holder | None:
        """Who holds the folder, or held it last."""
        try:
            return msgspec.json.decode((self.path / "holder.json").read_bytes(), type=Holder)
        except (OSError, msgspec.DecodeError):
            return None

    def release(self) -> None:
        """Let others take the folder."""
        if self._lock is not None:
            (self.path / "holder.json").unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    def secret_key(self) -> str:
        """The key that signs cookies and links here: drawn once, then always the same."""
        return self._drawn("secret_key")

    def daily_key(self) -> str:
        """The key of the order of the Daily's words here: drawn once, then always the same."""
        return self._drawn("daily_key")

    def push_key(self) -> str:
        """The key by which push services know this service: drawn once, then always the same."""
        return self._drawn("push_key")

    def _drawn(self, name: str) -> str:
        file = self.path / name
        if not file.exists():
            draft = file.with_suffix(".new")
            draft.touch(mode=0o600)
            draft.write_text(ids.token())
            draft.rename(file)
        return file.read_text()

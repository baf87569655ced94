"""What a simulated player can do, as values: scripts yield acts, a driver carries them out and says what came of it.

So the same scripts run on asyncio (`play`) and on Locust (`users`).
"""

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from libs.core.messages import GameId

API = "/api/v1"

T = TypeVar("T")


class Ask(Struct, frozen=True, kw_only=True):
    """Send a request; answered with a `Reply`."""

    method: str
    route: str  # as it is counted: with {} for what differs
    parts: tuple[str, ...] = ()  # what goes into the route
    body: Any = None
    key: str = ""
    headers: Mapping[str, str] = {}

    @property
    def path(self) -> str:
        """The path of the address."""
        return API + self.route.format(*(quote(part, safe="") for part in self.parts))

    @property
    def name(self) -> str:
        """Method and route."""
        return f"{self.method} {self.route}"


class Reply(Struct, frozen=True, kw_only=True):
    """What came back; status 0: nothing, and it is not known whether the request was done."""

    status: int = 0
    body: bytes = b""
    headers: Mapping[str, str] = {}  # names in lower case
    error: str = ""  # why nothing came

    @property
    def ok(self) -> bool:
        """Was it done?"""
        return 200 <= self.status < 300

    @property
    def known(self) -> bool:
        """Has the service decided, so that asking again would change nothing?"""
        return self.ok or (300 <= self.status < 500 and self.status != 429)

    @property
    def code(self) -> str:
        """The stable code of a refusal; for what is none of ours, the status or the error in a word."""
        if not self.status:
            return self.error
        try:
            return msgspec.json.decode(self.body, type=_Problem).code
        except msgspec.DecodeError:
            return f"status_{self.status}"

    @property
    def retry_after(self) -> float:
        """Seconds to wait before asking again; 0 if nothing was said."""
        text = self.headers.get("retry-after", "")
        return float(text) if text.isdigit() else 0.0


class _Problem(Struct):
    code: str


class Think(Struct, frozen=True):
    """Take one's time, about so many times the usual; answered with whether the load goes on."""

    times: float = 1.0


class Rest(Struct, frozen=True):
    """Wait so many seconds before asking again; answered with whether the load goes on."""

    seconds: float


class Follow(Struct, frozen=True):
    """Open a socket at a game and keep it open, coming back wherever it breaks."""

    game: GameId


class Drop(Struct, frozen=True):
    """Lose the socket at a game, as in a tunnel; the driver comes back at once."""

    game: GameId


class Leave(Struct, frozen=True):
    """Close the socket at a game."""

    game: GameId


class Await(Struct, frozen=True):
    """Wait until the newest view of a game is so; answered with whether it became so in time."""

    game: GameId
    so: Callable[[Any], bool]
    seconds: float


Act: TypeAlias = Ask | Think | Rest | Follow | Drop | Leave | Await

Script: TypeAlias = Generator[Act, Any, T]
"""Yields acts, is sent what came of each, and returns its result."""

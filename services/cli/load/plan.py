"""What a swarm is to do, and what it has measured: what passes between the command and the process that runs Locust."""

from msgspec import Struct


class Plan(Struct, frozen=True, kw_only=True):
    """A load by Locust. Files are absolute paths."""

    address: str
    users: int
    spawn_rate: float  # users that come in a second
    seconds: float  # of the load, the ramp included; with a page, until it is told to end
    mix: dict[str, float]
    think: float  # seconds before a move, on average
    accounts: float  # share of users who sign in, 0 to 1
    ledger: str
    report: str  # an HTML file; empty: none
    measured: str  # where to leave a `Measured`
    page: int = 0  # the port of Locust's page; 0: none


class Line(Struct, frozen=True, kw_only=True):
    """How long requests of one kind took, in milliseconds."""

    name: str
    count: int
    failed: int
    rate: float  # requests a second
    p50: float
    p95: float
    p99: float
    p999: float


class Measured(Struct, frozen=True, kw_only=True):
    """What a swarm has measured."""

    seconds: float
    lines: list[Line]
    total: Line
    guesses: int  # acknowledged
    views: int  # seen in answers and on sockets
    reconnects: int
    down: float  # seconds in which no guess could be taken
    longest_wait: float  # seconds from the first attempt at a guess to its acknowledgement
    exceptions: list[str]  # what players were not made for, each once

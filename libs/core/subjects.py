"""The names of streams and subjects, to and fro. Nothing else spells them."""

from hashlib import sha256
from zlib import crc32

GAMES = "GAMES"
"""The log: one subject a game, one record a command."""

TIMERS = "TIMERS"
"""Message schedules, and what they deliver when due."""

CHAT = "CHAT"
"""What players say to each other, until the game's midnight."""

PARTITIONS = 64
"""Commands are steered to a copy of the game service by this many partitions of the game's id."""


def game(kind: str, game_id: str) -> str:
    """The subject of a game's events: game.duel.<id>."""
    return f"game.{kind}.{game_id}"


def game_of(subject: str) -> tuple[str, str]:
    """The kind and the id of a subject made by `game` or `notice`."""
    _, kind, game_id = subject.split(".", 2)
    return kind, game_id


CLAIM = "claim"
"""The kind of records that keep something for one game alone; not a game."""


def claim(key: str) -> str:
    """The subject of a claim; the key may hold anything."""
    return game(CLAIM, sha256(key.encode()).hexdigest()[:32])


def notice(game_id: str, kind: str = "*") -> str:
    """Where the log announces, by its headers alone, that a game has a new record: log.duel.<id>."""
    return f"log.{kind}.{game_id}"


def ask(game_id: str) -> str:
    """Where a question about this game is asked first: the copy that has it warm listens there."""
    return ask_partition(partition(game_id))


def ask_partition(number: int) -> str:
    """Where questions about the games of one partition are asked: ask.game.17."""
    return f"ask.game.{number}"


ASK_ANY = "ask.game.any"
"""Where any copy of the game service answers: when nobody listens to the partition, or it is silent."""

COPIES = "copies.game"
"""Where each copy of the game service says every second that it is there."""


def partition(game_id: str) -> int:
    """0 to 63, the same for ever for the same game."""
    return crc32(game_id.encode()) % PARTITIONS


def live(game_id: str, player: str) -> str:
    """Where a player's new views of a game are published."""
    return f"live.{game_id}.{player}"


def timer(kind: str, game_id: str) -> str:
    """The subject of a game's one timer; publishing again replaces it."""
    return f"timer.{kind}.{game_id}"


def due(kind: str, game_id: str) -> str:
    """Where a timer is delivered when its time has come."""
    return f"due.{kind}.{game_id}"


def chat(game_id: str) -> str:
    """The subject of a game's chat."""
    return f"chat.{game_id}"


SOLVER_BOARD = "solver.board"
"""Where the solvers are asked about a board: any of them answers."""

SOLVER_REVIEW = "solver.review"
"""Where they are asked to look back on one."""

NEWS = "api.news"
"""What the copies of the api tell each other."""

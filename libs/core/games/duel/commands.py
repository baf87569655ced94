"""What may be asked of a duel."""

from typing import TypeAlias

from libs.core.messages import Command, GameId, PlayerId


class Open(Command, frozen=True, kw_only=True, tag="open"):
    """Make a game: today's with a rival, or an invite for whoever takes it."""

    game: GameId
    secret: str | None = None
    rival: PlayerId | None = None


class Accept(Command, frozen=True, kw_only=True, tag="accept"):
    """Take the invite, with a secret of one's own."""

    secret: str | None = None


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """Take the invite back."""


class SetSecret(Command, frozen=True, kw_only=True, tag="secret"):
    """Set the secret that the rival shall find."""

    secret: str


class Cancel(Command, frozen=True, kw_only=True, tag="cancel"):
    """End a game that waits for a word which will not come; either player can."""


class Guess(Command, frozen=True, kw_only=True, tag="guess"):
    """Guess the opponent's secret."""

    word: str


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Give up: not possible in a duel, which asks nothing of a player who would rather stop."""


class Wake(Command, frozen=True, kw_only=True, tag="wake"):
    """Ask the game whether time has something to say. The clock's alone."""


DuelMove: TypeAlias = Open | Accept | Withdraw | SetSecret | Cancel | Guess | Resign
DuelCommand: TypeAlias = DuelMove | Wake

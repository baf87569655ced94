"""What may be asked of a person: by themselves, and about them by the operators of the service."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from libs.core.messages import Command, GameId, PlayerId

LONGEST_WHY = 200
TEN_YEARS = 315_360_000  # seconds

_ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]+(?![\s\S])"
Why: TypeAlias = Annotated[str, Meta(max_length=LONGEST_WHY, pattern=_ONE_LINE)]
"""A reason in one line of a few words; it is kept for ever, so it should name nobody."""

Seconds: TypeAlias = Annotated[int, Meta(ge=60, le=TEN_YEARS)]


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Let a guest's results belong to the account; the account's own id: the guest has become the account."""

    guest: PlayerId


class Act(Command, frozen=True, kw_only=True):
    """What an operator does about a player, who has the id of this person."""

    player: PlayerId
    why: Why


class Mute(Act, frozen=True, kw_only=True, tag="mute"):
    """Let them write in no chat, for so long; for good, if no time is said."""

    seconds: Seconds | None = None


class Unmute(Act, frozen=True, kw_only=True, tag="unmute"):
    """Let them write again."""


class Rename(Act, frozen=True, kw_only=True, tag="rename"):
    """Take their name from them; they may choose another."""


class Close(Act, frozen=True, kw_only=True, tag="close"):
    """End their sessions and let them sign in no more."""


class Reopen(Act, frozen=True, kw_only=True, tag="reopen"):
    """Let them sign in again."""


class DecideReport(Act, frozen=True, kw_only=True, tag="decide_report"):
    """Say what has come of the reports of a message that they wrote: whether it was right to report it."""

    in_game: GameId
    message: str
    upheld: bool


class LookUp(Act, frozen=True, kw_only=True, tag="look_up"):
    """Look at a game as they saw it at this version."""

    in_game: GameId
    version: Annotated[int, Meta(ge=1)]


Moderation: TypeAlias = Mute | Unmute | Rename | Close | Reopen | DecideReport | LookUp
PersonMove: TypeAlias = Join | Moderation
PersonCommand: TypeAlias = PersonMove

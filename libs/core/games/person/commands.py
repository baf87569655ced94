"""What may be asked of a person."""

from typing import TypeAlias

from libs.core.messages import Command, PlayerId


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Let a guest's results belong to the account; the account's own id: the guest has become the account."""

    guest: PlayerId


PersonMove: TypeAlias = Join
PersonCommand: TypeAlias = PersonMove

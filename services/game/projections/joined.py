"""Which guests are a part of which account, as the projections that add up over games keep it."""

from typing import Self
from uuid import UUID

from msgspec import Struct

from libs.core.facts import GuestJoined
from libs.core.messages import PlayerId
from services.game.projections.shape import Told, Unfoldable


class Joined(Struct, kw_only=True):
    """A row of daily.joined and of results.joined."""

    guest: PlayerId
    account: PlayerId
    person: UUID

    @classmethod
    def of(cls, told: Told, fact: GuestJoined) -> Self:
        """The row of a guest who has joined. Raises `Unfoldable` if the record is another account's."""
        if fact.account != str(told.game):
            raise Unfoldable("the account is another one")
        return cls(guest=fact.guest, account=fact.account, person=told.game)

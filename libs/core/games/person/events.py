"""What is told of a person; stored for ever."""

from collections.abc import Iterable
from typing import TypeAlias

from libs.core import facts as fact
from libs.core.messages import Event, PlayerId


class GuestJoined(Event, frozen=True, kw_only=True, tag="guest_joined"):
    """The guest is a part of the account from now on; if the ids are equal, the guest has become the account."""

    account: PlayerId
    guest: PlayerId


PersonEvent: TypeAlias = GuestJoined


def facts(event: PersonEvent) -> Iterable[fact.Fact]:
    """The event in the words of the projections."""
    yield fact.GuestJoined(account=event.account, guest=event.guest)


def claims(_: PersonEvent) -> Iterable[str]:
    """Nothing: whoever signs a guest in has seen to it that it belongs to nobody else."""
    return ()

"""How much one player, or one network address, may ask for. Counted by each copy for itself."""

import ipaddress
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import lru_cache
from typing import TypeAlias

from limits import RateLimitItem, parse_many

from libs.runtime.settings import BadSetting, Settings
from services.api.problems import Problem
from services.api.turns import Turns

GUESTS_OF_ADDRESS = "40/minute;1000/hour"
MAILS_OF_ADDRESS = "10/5minute;60/hour"
MAILS_TO_RECIPIENT = "5/15minute;20/day"
INVITES_BY_MAIL = "10/hour;30/day"
CONFIRMATIONS_OF_ADDRESS = "30/minute"
EXPORTS_OF_PLAYER = "6/10minute;30/day"
CHAT_OF_PLAYER = "8/10second;60/minute"

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class Windows:
    """Counts by fixed windows of time, forgetting all when a window ends: a request costs the same however many come.

    (The storages of the limits library go through all keys again and again, so we take only its notation.)
    """

    def __init__(self, rates: str) -> None:
        self._rates: Sequence[RateLimitItem] = parse_many(rates)
        self._windows = [0] * len(self._rates)
        self._counts: list[dict[str, int]] = [{} for _ in self._rates]

    def hit(self, whose: str) -> None:
        """Count one more. Raises `Problem` (rate_limited) if it is one too many."""
        now = time.time()
        for number, rate in enumerate(self._rates):
            seconds = rate.get_expiry()
            window = int(now // seconds)
            if window != self._windows[number]:
                self._windows[number] = window
                self._counts[number] = {}
            counts = self._counts[number]
            counts[whose] = count = counts.get(whose, 0) + 1
            if count > rate.amount:
                raise Problem("rate_limited", retry_after=(window + 1) * seconds - now)


class Limits:
    """Counts, and refuses what is too much. Raises `BadSetting` for rates or addresses that are none."""

    def __init__(self, settings: Settings) -> None:
        self.on = settings.rate_limit
        try:
            self._player = Windows(settings.player_rate)
            self._address = Windows(settings.address_rate)
            self._solver = Windows(settings.solver_rate)
        except ValueError as error:
            raise BadSetting(f"WORDYARD_PLAYER_RATE, _ADDRESS_RATE, _SOLVER_RATE: {error}") from None
        self._turns = Turns()
        self._special: dict[str, Windows] = {}
        self._proxies = _networks(settings.trusted_proxies)

    def request(self, address: str, player: str | None) -> None:
        """Count a request of this address, and of this player. Raises `Problem` (rate_limited)."""
        if self.on:
            self._address.hit(address)
            if player is not None:
                self._player.hit(player)

    def board(self, address: str) -> None:
        """Count a board of this address. Raises `Problem` (rate_limited)."""
        if self.on:
            self._solver.hit(address)

    def turn(self, address: str) -> AbstractAsyncContextManager[None]:
        """A solver may be asked for this address within. Entering raises `Problem` (rate_limited) after a second."""
        return self._turns.turn(address) if self.on else nullcontext()

    def special(self, rates: str, whose: str) -> None:
        """Count something that has a limit of its own, one of those above. Raises `Problem` (rate_limited)."""
        if self.on:
            if rates not in self._special:
                self._special[rates] = Windows(rates)
            self._special[rates].hit(whose)

    def address(self, peer: str, forwarded: str) -> str:
        """The client's address: what a trusted proxy says, else whoever has connected; an IPv6 network as one."""
        peer = _plain(peer)
        if self._proxies and self._is_trusted(peer):
            for hop in reversed(forwarded.split(",")):
                if hop.strip():
                    peer = _plain(hop.strip())
                    if not self._is_trusted(peer):
                        break
        if ":" not in peer:
            return peer[:64]
        try:
            return str(ipaddress.ip_network((peer, 64), strict=False))
        except ValueError:
            return peer[:64]

    def _is_trusted(self, peer: str) -> bool:
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


@lru_cache(4096)
def _plain(address: str) -> str:
    """An IPv4 address that came in an IPv6 one, as itself: all of these would be one network."""
    try:
        mapped = ipaddress.IPv6Address(address).ipv4_mapped
    except ValueError:
        return address
    return str(mapped) if mapped else address


def _networks(texts: tuple[str, ...]) -> list[Network]:
    try:
        return [ipaddress.ip_network(text, strict=False) for text in texts]
    except ValueError as error:
        raise BadSetting(f"WORDYARD_TRUSTED_PROXIES: {error}") from None

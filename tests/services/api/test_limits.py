"""Whose requests are counted together, and how many boards of one address are at work at once."""

import asyncio

import pytest

from libs.runtime.settings import Settings
from services.api.limits import Limits
from services.api.problems import Problem
from services.api.turns import AT_ONCE, Turns


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("192.0.2.7", "", "192.0.2.7"),
        ("192.0.2.7", "198.51.100.9", "192.0.2.7"),  # anybody can say so
        ("10.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "203.0.113.5, 198.51.100.9, 10.0.0.2", "198.51.100.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),  # a household has a whole network
        ("::ffff:192.0.2.7", "", "192.0.2.7"),
        ("::ffff:10.0.0.1", "::ffff:198.51.100.9", "198.51.100.9"),
    ],
)
def test_an_address_is_counted_as_who_has_it(peer: str, forwarded: str, counted: str) -> None:
    limits = Limits(Settings(trusted_proxies=("10.0.0.0/8",)))
    assert limits.address(peer, forwarded) == counted


async def test_an_address_with_too_much_at_work_waits_and_is_refused_and_nobody_else_is() -> None:
    turns = Turns(at_once=2, patience=0.05)
    async with turns.turn("192.0.2.7"), turns.turn("192.0.2.7"):
        with pytest.raises(Problem, match="rate_limited"):
            await turns.turn("192.0.2.7").__aenter__()
        async with turns.turn("198.51.100.9"):
            assert len(turns) == 2
    assert len(turns) == 0


async def test_who_waits_comes_in_order_as_soon_as_there_is_room() -> None:
    turns, came = Turns(at_once=1, patience=5), list[int]()

    async def come(number: int) -> None:
        async with turns.turn("192.0.2.7"):
            came.append(number)

    async with turns.turn("192.0.2.7"):
        waiting = [asyncio.create_task(come(number)) for number in range(3)]
        waiting[1].cancel()
        await asyncio.sleep(0)
        assert came == []
    await asyncio.gather(*waiting, return_exceptions=True)
    assert (came, len(turns)) == ([0, 2], 0)


@pytest.mark.parametrize(("limited", "refused"), [(True, 1), (False, 0)])
async def test_a_solver_is_asked_so_often_at_once_for_one_address(limited: bool, refused: int) -> None:
    limits = Limits(Settings(rate_limit=limited))
    turns = [limits.turn("192.0.2.7") for _ in range(AT_ONCE + 1)]
    entered = await asyncio.gather(*(turn.__aenter__() for turn in turns), return_exceptions=True)
    assert [type(one) for one in entered if one is not None] == [Problem] * refused

"""Sockets: every version once and in order, chat, and who may not listen."""

import asyncio
import json
from typing import Any, cast

import pytest
import websockets
from msgspec import Raw

from libs.core.calls import Answer, Seen
from libs.runtime.clock import clock
from services.api.feed import Feed
from services.api.names import Names
from services.api.order import Order
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel
from tests.services.api.service import Service
from tests.until import until

WORDS = ("allot", "canal", "table", "plane", "smile", "world")


def seen(version: int) -> Seen:
    return Seen(version=version, view=Raw(b"{}"))


def answer(*versions: int, sequence: int = 0) -> Answer:
    return Answer(seen=tuple(map(seen, versions)), sequence=sequence or versions[-1] * 10)


def numbers(ready: list[Seen]) -> list[int]:
    return [one.version for one in ready]


class TestOrder:
    def test_the_present_version_comes_first_to_who_has_none(self) -> None:
        order = Order(None)
        assert numbers(order.looked(answer(7))) == [7]
        assert numbers(order.published(seen(8))) == [8]

    def test_all_versions_after_the_last_one_seen_come_first(self) -> None:
        order = Order(4)
        assert numbers(order.published(seen(7))) == []
        assert numbers(order.looked(answer(5, 6, 7))) == [5, 6, 7]

    def test_a_version_that_comes_early_waits_for_those_before_it(self) -> None:
        order = Order(None)
        order.looked(answer(1))
        assert numbers(order.published(seen(3))) == []
        assert order.behind
        assert numbers(order.published(seen(2))) == [2, 3]
        assert not order.behind

    def test_a_version_that_comes_twice_is_sent_once(self) -> None:
        order = Order(None)
        order.looked(answer(2))
        assert numbers(order.published(seen(2))) == []
        assert numbers(order.published(seen(3))) == [3]
        assert numbers(order.published(seen(3))) == []
        assert numbers(order.looked(answer(3))) == []

    def test_a_notice_without_its_view_is_a_gap_that_a_look_fills(self) -> None:
        order = Order(None)
        order.looked(answer(2, sequence=20))
        order.noticed(20)
        assert not order.behind
        order.noticed(35)
        assert order.behind
        assert numbers(order.looked(answer(3, sequence=35))) == [3]
        assert not order.behind

    def test_a_view_and_its_notice_in_either_order_are_one_version(self) -> None:
        order = Order(None)
        order.looked(answer(2, sequence=20))
        order.published(seen(3))
        order.noticed(30)
        order.noticed(40)
        assert order.behind
        assert numbers(order.published(seen(4))) == [4]
        assert not order.behind

    def test_a_notice_before_the_first_look_counts_only_if_it_is_newer(self) -> None:
        for noticed, behind in ((20, False), (30, True)):
            order = Order(1)
            order.noticed(noticed)
            order.looked(answer(2, sequence=20))
            assert order.behind is behind

    def test_a_look_from_before_a_notice_does_not_hide_it(self) -> None:
        order = Order(None)
        order.looked(answer(2, sequence=20))
        order.noticed(30)
        assert numbers(order.looked(answer(2, sequence=20))) == []
        assert order.behind

    def test_a_look_that_is_overtaken_by_newer_views_sends_none_of_them_again(self) -> None:
        order = Order(None)
        order.looked(answer(5))
        assert numbers([*order.published(seen(6)), *order.published(seen(7))]) == [6, 7]
        assert numbers(order.looked(answer(5))) == []
        assert numbers(order.looked(answer(6, 7, 8))) == [8]

    def test_who_has_seen_more_than_there_is_goes_on_from_there(self) -> None:
        order = Order(9)
        assert numbers(order.looked(answer(4))) == []
        assert numbers(order.published(seen(5))) == [5]

    def test_versions_from_before_a_player_came_are_not_waited_for(self) -> None:
        order = Order(0)
        assert numbers(order.looked(answer(2, 3))) == [2, 3]


async def views(socket: websockets.ClientConnection, count: int) -> list[Any]:
    got = [json.loads(await asyncio.wait_for(socket.recv(), 5)) for _ in range(count)]
    assert {frame["type"] for frame in got} == {"view"}
    assert all(frame["version"] == frame["view"]["version"] for frame in got)
    return got


async def test_each_version_comes_once_and_in_order(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    async with ann.live(game) as hers, bob.live(game) as his:
        first = await views(hers, 1)
        assert (first[0]["version"], first[0]["view"]["opponent"]["player"]["name"]) == (2, bob.name)
        await views(his, 1)
        await asyncio.gather(
            *(player.post(f"/games/{game}/guesses", {"word": word}) for player in (ann, bob) for word in WORDS)
        )
        for socket in (hers, his):
            assert [frame["version"] for frame in await views(socket, 12)] == list(range(3, 15))


async def test_a_socket_resumes_after_the_last_version_it_had(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    for word in WORDS[:3]:
        await ann.post(f"/games/{game}/guesses", {"word": word})
    async with bob.live(game, after=3) as socket:
        assert [frame["version"] for frame in await views(socket, 2)] == [4, 5]
    async with bob.live(game, after=5) as socket:
        await ann.post(f"/games/{game}/guesses", {"word": WORDS[3]})
        assert [frame["version"] for frame in await views(socket, 1)] == [6]
    async with bob.live(game, after=0) as socket:
        got = await views(socket, 5)
        assert [frame["version"] for frame in got] == [2, 3, 4, 5, 6]
        assert [len(frame["view"]["opponent"]["rows"]) for frame in got] == [0, 1, 2, 3, 4]


async def test_guests_that_joined_an_account_listen_as_the_account(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    email = f"{ann.id}@example.org"
    await ann.sign_in(email)
    other = await Player(ann.service).sign_in(email)
    async with other.live(game) as socket:
        [frame] = await views(socket, 1)
        assert frame["view"]["you"]["player"]["id"] == ann.id
    await other.http.aclose()


async def test_a_maker_who_waits_sees_the_other_one_come(ann: Player, bob: Player) -> None:
    invite = await ann.post("/invites", {"kind": "duel", "secret": "crepe"})
    async with ann.live(invite["game"]) as socket:
        assert (await views(socket, 1))[0]["view"]["state"] == "waiting"
        await bob.post(f"/invites/{invite['token']}/accept", {"secret": "sight"})
        view = (await views(socket, 1))[0]["view"]
        assert (view["state"], view["opponent"]["player"]) == ("playing", {"id": bob.id, "name": bob.name})
        await bob.post(f"/games/{invite['game']}/chat", {"text": "hi"})
        assert json.loads(await socket.recv())["message"]["player"]["name"] == bob.name


async def refused(socket: websockets.connect, code: str, status: int) -> None:
    with pytest.raises(websockets.InvalidStatus) as caught:
        async with socket:
            pass
    response = caught.value.response
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert json.loads(response.body)["code"] == code


async def test_who_may_not_listen_is_refused_before_the_upgrade(
    ann: Player, bob: Player, eve: Player, player: NewPlayer
) -> None:
    game = await duel(ann, bob)
    await refused(eve.live(game), "not_a_player", 403)
    await refused(player().live(game), "unauthorized", 401)
    await refused(ann.live("0193b5a0-0000-7000-8000-000000000000"), "unknown_game", 404)
    await refused(ann.live("nonsense"), "unknown_game", 404)
    await refused(ann.live(f"{game}/more"), "not_found", 404)
    await refused(player().live(game, Authorization="Bearer wy_nonsense"), "unauthorized", 401)


async def test_another_site_cannot_listen_with_our_cookie(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    await refused(ann.live(game, Origin="https://evil.example"), "csrf", 403)
    await refused(ann.live(game, Origin="null"), "csrf", 403)


async def test_a_bearer_token_opens_a_socket_from_anywhere(player: NewPlayer, bob: Player) -> None:
    program = await player().enter(token=True)
    game = await duel(program, bob)
    async with program.live(game, Origin="https://elsewhere.example") as socket:
        await views(socket, 1)


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "", "%D9%A3"])
async def test_an_after_that_is_no_version_is_malformed(ann: Player, bob: Player, after: str) -> None:
    game = await duel(ann, bob)
    await refused(ann.live(game, after), "malformed", 400)


async def test_frames_are_ignored_and_large_ones_end_the_socket(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    async with ann.live(game) as socket:
        await views(socket, 1)
        await socket.send("hello" * 100)
        await socket.send(b"\0" * 1024)
        await bob.post(f"/games/{game}/guesses", {"word": "allot"})
        await views(socket, 1)
        await socket.send("x" * 1025)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


async def test_signing_out_ends_the_socket(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    async with ann.live(game) as socket:
        await views(socket, 1)
        assert (await ann.send("DELETE", "/session")).status_code == 204
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001


async def test_a_plain_get_is_not_a_socket(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    await ann.refused("method_not_allowed", 405, "GET", f"/games/{game}/live")


async def test_two_sockets_of_one_player_both_hear(ann: Player, bob: Player, service: Service) -> None:
    game = await duel(ann, bob)
    async with ann.live(game) as one, ann.live(game) as other:
        await views(one, 1)
        await views(other, 1)
        await bob.post(f"/games/{game}/guesses", {"word": "allot"})
        await views(one, 1)
        await views(other, 1)
    async with ann.live(game) as again:
        await views(again, 1)


async def test_a_socket_whose_view_cannot_be_written_is_closed_so_that_its_player_comes_back() -> None:
    class Broken:
        async def fill(self, view: bytes) -> bytes:
            raise ValueError(view)

    async def look(_: int | None) -> Answer:
        return answer(1)

    sent: list[str] = []
    closed: list[int] = []

    async def send(text: str) -> None:
        sent.append(text)

    async def close(code: int) -> None:
        closed.append(code)

    feed = Feed("g1", None, look, cast(Names, Broken()), clock())
    await feed.begin()
    feed.start(send, close)
    await until(lambda: closed)
    assert (sent, closed) == ([], [1011])

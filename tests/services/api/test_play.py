"""A duel from the first invite to the audit, over HTTP, and everything that a move can be refused for."""

from typing import Any

import pytest

from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, good, problem
from tests.until import until

GUESSES = ("allot", "canal", "table", "plane", "smile", "world")


async def guess(player: Player, game: str, word: str, key: str = "") -> Any:
    return await player.post(f"/games/{game}/guesses", {"word": word}, key)


async def finish(game: str, *players: Player) -> Any:
    for player in players:
        for word in GUESSES:
            view = await guess(player, game, word)
    return view


async def test_a_whole_duel(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob, ("crepe", "sight"))
    view = await guess(ann, game, "Eight ")
    assert view["you"]["guesses"][0]["word"] == "eight"
    assert view["you"]["guesses"][0]["marks"] == "ICCCC"
    view = await guess(ann, game, "sight")
    assert view["you"]["solved"]
    assert view["version"] == 4
    assert (view["you"]["player"]["name"], view["opponent"]["player"]["name"]) == (ann.name, bob.name)
    view = await bob.get(f"/games/{game}")
    assert (view["opponent"]["rows"], view["opponent"]["solved"]) == (["ICCCC", "CCCCC"], True)
    assert view["result"] is None
    view = await finish(game, bob)
    assert (view["state"], view["result"]["outcome"]) == ("finished", "loss")
    assert view["result"]["secrets"] == {"you": "sight", "opponent": "crepe"}
    audit = await ann.get(f"/games/{game}/audit")
    assert [player["name"] for player in audit["players"]] == [ann.name, bob.name]
    assert audit["secrets"] == {ann.id: "crepe", bob.id: "sight"}
    assert audit["result"]["type"] == "ended"
    assert [event["word"] for event in audit["events"] if event["type"] == "guessed"][2:] == list(GUESSES)

    async def listed() -> Any:
        games = (await bob.get("/games"))["games"]
        folded = games and games[0]["outcome"] and games[0]["you"]["guesses"] == 6  # two projections, each at its pace
        return games if folded else None

    [entry] = await until(listed)
    assert (entry["outcome"], entry["opponent"]["player"]["name"], entry["you"]["guesses"]) == ("loss", ann.name, 6)


async def test_nothing_that_a_player_gets_before_the_end_has_a_letter_of_the_other(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob, ("vodka", "sight"))
    async with bob.live(game) as socket:
        await socket.recv()
        await guess(ann, game, "jumbo")
        bob.heard.append(str(await socket.recv()))
    await guess(bob, game, "world")
    await bob.get(f"/games/{game}")
    await bob.get("/games")
    await bob.get(f"/games/{game}/chat")
    await bob.refused("not_ended", 409, "GET", f"/games/{game}/audit")
    heard = "\n".join(bob.heard).lower()
    assert "world" in heard
    for word in ("vodka", "jumbo"):
        assert word not in heard


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("cran", "letters"), ("cranes", "letters"), ("cränk", "letters"), ("сrane", "letters"), ("dılly", "letters"),
        ("a b c", "letters"), ("", "letters"), ("xxxxx", "unknown_word"),
    ],
)  # fmt: skip
async def test_a_word_that_is_none_is_refused(ann: Player, bob: Player, word: str, code: str) -> None:
    game = await duel(ann, bob)
    await ann.refused(code, 422, "POST", f"/games/{game}/guesses", {"word": word})
    assert (await ann.get(f"/games/{game}"))["you"]["guesses"] == []


async def test_a_secret_that_is_none_is_refused(ann: Player) -> None:
    for body, code in (
        ({"kind": "duel", "secret": "xxxxx"}, "not_a_secret"),
        ({"kind": "duel", "secret": "abc"}, "letters"),
        ({"kind": "duel"}, "secret_required"),
    ):
        await ann.refused(code, 422, "POST", "/invites", body)


async def test_a_seventh_guess_is_refused(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    await finish(game, ann)
    await ann.refused("finished", 409, "POST", f"/games/{game}/guesses", {"word": "sight"})


async def test_a_guess_before_the_second_secret_is_too_early_and_for_strangers_none(ann: Player, eve: Player) -> None:
    invite = await ann.post("/invites", {"kind": "duel", "secret": "crepe"})
    path = f"/games/{invite['game']}/guesses"
    await ann.refused("too_early", 409, "POST", path, {"word": "crane"})
    await eve.refused("not_a_player", 403, "POST", path, {"word": "crane"})


async def test_a_secret_is_set_once_and_nobody_resigns(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    await ann.refused("secret_set", 409, "POST", f"/games/{game}/secret", {"secret": "world"})
    await ann.refused("not_possible", 409, "POST", f"/games/{game}/resign", {})
    await ann.refused("not_possible", 409, "POST", f"/games/{game}/resign")


@pytest.mark.parametrize(
    "game",
    [
        "0193b5a0-0000-7000-8000-000000000000",
        "nonsense",
        "*",
        ">",
        "a.b",
        "0193B5A0-0000-7000-8000-000000000000",
        "%2e",
    ],
)
async def test_an_unknown_game_is_not_found(ann: Player, game: str) -> None:
    await ann.refused("unknown_game", 404, "GET", f"/games/{game}")
    await ann.refused("unknown_game", 404, "POST", f"/games/{game}/guesses", {"word": "crane"})


async def test_a_stranger_sees_nothing_of_a_game(ann: Player, bob: Player, eve: Player) -> None:
    game = await duel(ann, bob)
    for path in ("", "/audit", "/chat"):
        await eve.refused("not_a_player", 403, "GET", f"/games/{game}{path}")
    await eve.refused("not_a_player", 403, "POST", f"/games/{game}/chat", {"text": "hi"})
    assert (await eve.get("/games"))["games"] == []


async def test_nobody_in_particular_plays_nothing(player: NewPlayer, ann: Player, bob: Player) -> None:
    game, nobody = await duel(ann, bob), player()
    for method, path in (
        ("GET", f"/games/{game}"), ("GET", "/games"), ("GET", "/rivals"), ("GET", "/me/tokens"),
        ("GET", f"/games/{game}/chat"), ("GET", f"/games/{game}/audit"),
    ):  # fmt: skip
        await nobody.refused("unauthorized", 401, method, path)
    await nobody.refused("unauthorized", 401, "POST", f"/games/{game}/guesses", {"word": "crane"})
    await nobody.refused("unauthorized", 401, "POST", "/invites", {"kind": "duel", "secret": "crepe"})


async def test_the_same_guess_with_the_same_key_is_taken_once_even_after_the_end(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    first = await guess(ann, game, "allot", "k")
    assert await guess(ann, game, "allot", "k") == first
    await guess(bob, game, "allot", "k")
    await ann.refused("key_reused", 409, "POST", f"/games/{game}/guesses", {"word": "canal"}, key="k")
    for player in (ann, bob):
        for word in GUESSES[1:]:
            await guess(player, game, word)
    assert await guess(ann, game, "allot", "k") == first


async def test_a_view_is_not_sent_again_to_who_has_it(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    answer = await ann.send("GET", f"/games/{game}")
    etag = answer.headers["etag"]
    assert etag.startswith('"v2-')
    assert answer.headers["cache-control"] == "private, no-cache"
    again = await ann.send("GET", f"/games/{game}", If_None_Match=f'W/"x", {etag}')
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert (await bob.send("GET", f"/games/{game}", If_None_Match=etag)).status_code == 200
    await guess(bob, game, "allot")
    assert (await ann.send("GET", f"/games/{game}", If_None_Match=etag)).status_code == 200


async def test_a_program_plays_by_token_alone(player: NewPlayer, bob: Player) -> None:
    program = await player().enter(token=True)
    assert not program.http.cookies
    game = await duel(program, bob)
    view = await guess(program, game, "sight")
    assert view["you"]["solved"]


async def test_games_are_listed_page_by_page(ann: Player, player: NewPlayer) -> None:
    games = [(await ann.post("/invites", {"kind": "duel", "secret": "crepe"}))["game"] for _ in range(5)]

    async def all_there() -> bool:
        return len((await ann.get("/games"))["games"]) == 5

    await until(all_there)
    pages, path = [], "/games?limit=2"
    while path:
        page = await ann.get(path)
        pages.append([entry["id"] for entry in page["games"]])
        path = f"/games?limit=2&cursor={page['next']}" if page["next"] else ""
    assert pages == [games[:2:-1], games[2:0:-1], games[:1]]
    entry = (await ann.get("/games?state=waiting&limit=1"))["games"][0]
    assert entry["opponent"]["player"] is None
    assert entry["invite"]["url"].endswith(f"/invite/{entry['invite']['token']}")
    assert (await ann.get("/games?state=finished"))["games"] == []
    for query, where in (("limit=0", "limit"), ("limit=x", "limit"), ("cursor=%21", "cursor"), ("state=odd", "state")):
        assert (await ann.refused("malformed", 400, "GET", f"/games?{query}"))["where"] == where


async def test_a_key_is_named_in_the_answer(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    path = f"/games/{game}/guesses"
    answer = await ann.send("POST", path, {"word": "allot"}, key="a key ~")
    assert answer.headers["idempotency-key"] == "a key ~"
    assert len((await ann.send("POST", path, {"word": "allot"})).headers["idempotency-key"]) == 36
    for key in ("x" * 129, "é".encode().decode("latin-1")):
        problem(
            await ann.http.post(
                f"/api/v1{path}", json={"word": "allot"}, headers=[(b"idempotency-key", key.encode("latin-1"))]
            ),
            "bad_key",
            400,
        )
    assert len(good(await ann.send("GET", f"/games/{game}"))["you"]["guesses"]) == 2

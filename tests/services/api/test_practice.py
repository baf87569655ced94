"""Practice over HTTP: played without being anybody, nothing stored, nothing told too early, no forged token taken."""

import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.sql import SQL, Identifier

from libs.core import lexicon
from libs.core.practice import Practice
from libs.runtime import bus
from libs.runtime.connection import Connection
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from services.api.practice_tokens import PracticeTokens
from tests import servers
from tests.services.api.conftest import SECRET_KEY, NewPlayer
from tests.services.api.player import Player, good, problem
from tests.services.api.service import Service, running

CASES = json.loads((Path(__file__).parents[2] / "vectors" / "marks.json").read_text())["cases"]
SECRET = "crepe"
TOKENS = PracticeTokens(SECRET_KEY)
GUESSES = "/practice/guesses"


@pytest.fixture
async def anybody(player: NewPlayer) -> Player:
    """Somebody who is nobody in particular."""
    return player()


def token(*guesses: str, secret: str = SECRET) -> str:
    """The token of a game as the service seals it."""
    return TOKENS.seal(Practice(words=lexicon.newest().edition, secret=secret, guesses=guesses))


async def guess(player: Player, token: str, word: str) -> Any:
    return await player.post(GUESSES, {"token": token, "word": word})


async def test_a_game_begins_open_and_empty(anybody: Player) -> None:
    game = await anybody.post("/practice")
    assert list(game) == ["token", "guesses", "state", "word"]
    assert (len(game["token"]), game["guesses"], game["state"], game["word"]) == (96, [], "open", None)
    assert TOKENS.open(game["token"]).secret in lexicon.newest().secrets
    bare = await anybody.http.post("/api/v1/practice")
    assert good(bare)["state"] == "open"


async def test_every_game_has_a_secret_of_its_own(anybody: Player) -> None:
    secrets = {TOKENS.open((await anybody.post("/practice"))["token"]).secret for _ in range(40)}
    assert len(secrets) > 30


async def test_every_vector_is_marked_as_it_should_be(anybody: Player) -> None:
    assert len(CASES) == 232
    for case in CASES:
        game = await guess(anybody, token(secret=case["secret"]), case["guess"])
        assert game["guesses"] == [{"word": case["guess"], "marks": case["marks"]}]


async def test_a_word_is_found_and_shown(anybody: Player) -> None:
    game = await guess(anybody, token(), " EERIE ")
    assert (game["guesses"], game["state"], game["word"]) == ([{"word": "eerie", "marks": "RIRIC"}], "open", None)
    game = await guess(anybody, game["token"], "crepe")
    assert (game["guesses"][1], game["state"], game["word"]) == (
        {"word": "crepe", "marks": "CCCCC"},
        "solved",
        "crepe",
    )
    await anybody.refused("finished", 409, "POST", GUESSES, {"token": game["token"], "word": "crepe"})


async def test_after_six_guesses_the_word_is_shown(anybody: Player) -> None:
    game: dict[str, Any] = {"token": token()}
    for number in range(6):
        assert game.get("word") is None
        game = await guess(anybody, game["token"], "allot")
        assert len(game["guesses"]) == number + 1
    assert (game["state"], game["word"]) == ("failed", "crepe")
    await anybody.refused("finished", 409, "POST", GUESSES, {"token": game["token"], "word": "crepe"})


async def test_what_is_no_word_costs_nothing(anybody: Player) -> None:
    begun = token("eerie")
    for word, code in (("cran", "letters"), ("cr\u0430ne", "letters"), ("", "letters"), ("zzzzz", "unknown_word")):
        await anybody.refused(code, 422, "POST", GUESSES, {"token": begun, "word": word})
    assert len((await guess(anybody, begun, "crane"))["guesses"]) == 2


async def test_an_older_token_plays_on_from_where_it_stood(anybody: Player) -> None:
    first = await guess(anybody, token(), "eerie")
    await guess(anybody, first["token"], "allot")
    again = await guess(anybody, first["token"], "sassy")
    assert [one["word"] for one in again["guesses"]] == ["eerie", "sassy"]


async def test_asking_again_is_safe(anybody: Player) -> None:
    """The same question has the same answer, sealed anew; a request key is taken and changes nothing."""
    begun = token()
    answers = [
        good(await anybody.send("POST", GUESSES, {"token": begun, "word": word}, key="once"))
        for word in ("eerie", "eerie", "allot")
    ]
    assert answers[0]["guesses"] == answers[1]["guesses"]
    assert answers[0]["token"] != answers[1]["token"]
    assert answers[2]["guesses"] == [{"word": "allot", "marks": "IIIII"}]


async def test_a_token_that_is_none_of_ours_is_refused(anybody: Player, ann: Player) -> None:
    begun = token()
    program = await anybody.enter(token=True)
    foreign = PracticeTokens("another secret key of 32 characters").seal(TOKENS.open(begun))
    invite = (await ann.post("/invites", {"kind": "duel", "secret": "crepe"}))["token"]
    forged = begun[:50] + ("A" if begun[50] != "A" else "B") + begun[51:]
    spliced = begun[:48] + token("eerie")[48:]
    for bad in ("", "x", "\u00e4" * 96, "A" * 16_000, foreign, invite, program.token, forged, spliced, begun[:-1]):
        await anybody.refused("practice_token", 422, "POST", GUESSES, {"token": bad, "word": "eerie"})
    assert (await guess(anybody, begun, "eerie"))["state"] == "open"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "$"), ([], "$"), ({"word": "crane"}, "$"), ({"token": "x"}, "$"),
        ({"token": 5, "word": "crane"}, "$.token"), ({"token": "x", "word": None}, "$.word"),
        ({"token": "x", "word": "crane", "secret": "crane"}, "$"), ({"token": "\0", "word": "crane"}, "$.token"),
    ],
)  # fmt: skip
async def test_what_is_no_guess_is_malformed(anybody: Player, body: Any, where: str) -> None:
    told = await anybody.refused("malformed", 400, "POST", GUESSES, body)
    assert told["where"] == where


async def test_a_secret_cannot_be_wished_for(anybody: Player) -> None:
    await anybody.refused("malformed", 400, "POST", "/practice", {"secret": "crepe"})


async def test_bodies_are_bounded_json(anybody: Player) -> None:
    url, body = f"/api/v1{GUESSES}", json.dumps({"token": token(), "word": "eerie"}).encode()
    headers = {"content-type": "application/json"}
    assert good(await anybody.http.post(url, content=body.ljust(16_384), headers=headers))["state"] == "open"
    problem(await anybody.http.post(url, content=body.ljust(16_385), headers=headers), "too_large", 413)
    problem(await anybody.http.post(url, content=body), "unsupported_media_type", 415)
    await anybody.refused("method_not_allowed", 405, "GET", "/practice")


async def test_nobody_has_to_be_anybody_and_other_sites_are_kept_out(anybody: Player, ann: Player) -> None:
    answer = await anybody.send("POST", "/practice", {})
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    for path, body in (("/practice", {}), (GUESSES, {"token": token(), "word": "eerie"})):
        assert good(await ann.send("POST", path, body, X_CSRF_Token=""))["state"] == "open"
        await anybody.refused("csrf", 403, "POST", path, body, Origin="https://evil.example")


async def test_the_document_tells_both_calls(anybody: Player) -> None:
    paths = (await anybody.http.get("/schema/openapi.json")).json()["paths"]
    begin, guessed = paths["/api/v1/practice"]["post"], paths[f"/api/v1{GUESSES}"]["post"]
    assert {"200", "400", "403", "429"} <= begin["responses"].keys()
    assert "`finished`" in guessed["responses"]["409"]["description"]
    for code in ("practice_token", "letters", "unknown_word"):
        assert f"`{code}`" in guessed["responses"]["422"]["description"]


async def test_no_word_and_no_token_is_told_too_early_or_logged(anybody: Player, service: Service) -> None:
    game = {"token": token(secret="vodka")}
    tokens = [game["token"]]
    for word in ("jumbo", "eerie", "allot", "sassy", "gizmo"):
        game = await guess(anybody, game["token"], word)
        tokens.append(game["token"])
    await anybody.refused("unknown_word", 422, "POST", GUESSES, {"token": game["token"], "word": "vodkq"})
    assert not [text for text in anybody.heard if "vodka" in text.lower()]
    assert (await guess(anybody, game["token"], "crane"))["word"] == "vodka"
    lines = service.api.lines() + (await anybody.http.get("/metrics")).text
    assert f'"route":"/api/v1{GUESSES}"' in lines
    assert not [text for text in ("vodka", "vodkq", "jumbo", "gizmo", *tokens) if text in lines]


@pytest.fixture(scope="module")
def own_settings(settings: Settings) -> Settings:
    """Servers that nobody else writes to."""
    migrate(settings.postgres_url)
    return settings


@pytest.fixture(scope="module")
def own_service(own_settings: Settings) -> Iterator[Service]:
    with running(own_settings) as service:
        yield service


@pytest.fixture
async def nats(own_settings: Settings) -> AsyncIterator[Connection]:
    client = await bus.connect(own_settings, "test")
    yield client
    await client.close()


async def stored(settings: Settings, nats: Connection) -> dict[str, Any]:
    """What every stream and every table holds: first and last sequence and size; number and digest of the rows."""
    found: dict[str, Any] = {}
    for info in await nats.jetstream().streams_info():
        state = info.state
        found[str(info.config.name)] = (state.first_seq, state.last_seq, state.messages, state.bytes)
    assert "GAMES" in found
    tables = "select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
    async with await psycopg.AsyncConnection.connect(settings.postgres_url) as connection:
        for schema, table in await (await connection.execute(tables)).fetchall():
            rows = await connection.execute(SQL("select t::text from {} t").format(Identifier(schema, table)))
            lines = sorted(line for (line,) in await rows.fetchall())
            found[f"{schema}.{table}"] = (len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest())
    assert "public.players" in found
    return found


async def test_nothing_is_stored(own_service: Service, own_settings: Settings, nats: Connection) -> None:
    """Games to their ends, refusals too; streams and tables are as they were, to the last row."""
    tokens = PracticeTokens(own_settings.secret_key)
    async with Player(own_service) as anybody:
        before = await stored(own_settings, nats)
        for _ in range(5):
            game = await anybody.post("/practice")
            secret = tokens.open(game["token"]).secret
            for word in ("charr", "chars", secret):
                game = await guess(anybody, game["token"], word)
            assert game["state"] == "solved"
            await anybody.refused("finished", 409, "POST", GUESSES, {"token": game["token"], "word": secret})
            await anybody.refused("practice_token", 422, "POST", GUESSES, {"token": "x", "word": secret})
        assert await stored(own_settings, nats) == before
        await anybody.enter()
        after = await stored(own_settings, nats)
        assert {name for name in after if after[name] != before[name]} >= {"public.players"}


async def test_it_needs_neither_the_log_nor_the_database(own_settings: Settings) -> None:
    """Both go away while somebody practises, and the game goes on."""
    with servers.nats_server() as nats_server, servers.postgres() as postgres:
        migrate(postgres.url)
        lonely = replace(own_settings, nats_url=nats_server.url, postgres_url=postgres.url)
        with running(lonely, game=False) as service:
            async with Player(service) as anybody:
                game = await anybody.post("/practice")
                nats_server.kill()
                postgres.kill()
                game = await guess(anybody, game["token"], "eerie")
                assert len(game["guesses"]) == 1
                assert (await anybody.post("/practice"))["state"] == "open"


async def test_too_many_guesses_of_an_address_are_refused_for_a_while(own_settings: Settings) -> None:
    with running(replace(own_settings, rate_limit=True, address_rate="10/minute"), game=False) as service:
        async with Player(service) as anybody:
            for _ in range(10):
                game = await anybody.post("/practice")
            answer = await anybody.send("POST", GUESSES, {"token": game["token"], "word": "eerie"})
            problem(answer, "rate_limited", 429)
            assert 1 <= int(answer.headers["retry-after"]) <= 60

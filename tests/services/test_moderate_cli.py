"""`wordyard moderate`, as an operator calls it: with services that run, and without."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from libs.runtime import ids, postgres
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.api import said
from services.api.said import Said
from tests.services.copies import Clock, Game, copy
from tests.services.tables import folded, folding, rows
from tests.services.test_audit_cli import call, call_json

WHY = ("--why", "insults")

Account = Callable[[], str]


@pytest.fixture(scope="module", autouse=True)
def tables(postgres_url: str) -> None:
    postgres.migrate(postgres_url)


@pytest.fixture
def account(postgres_url: str) -> Account:
    """Makes accounts."""

    def make() -> str:
        id_ = ids.new_id()
        query = "insert into players (id, name, skeleton, email, guest, made_at) values (%s, %s, %s, %s, false, now())"
        rows(postgres_url, query, id_, f"Name {id_[-6:]}", id_, f"{id_}@desk.example")
        return id_

    return make


async def events(log: Log, player: str) -> list[dict[str, Any]]:
    return [event for record in await log.load(player) for event in json.loads(record.data)["events"]]


async def test_players_are_muted_renamed_closed_and_all_that_taken_back(
    settings: Settings, connection: Connection, log: Log, account: Account
) -> None:
    olga, ann = account(), account()
    async with copy(settings, Clock()):
        for act, *more in (("mute", "--for", "7d"), ("unmute",), ("rename",), ("close",), ("reopen",)):
            code, done = await call_json(settings, "moderate", act, ann, *more, *WHY, "--as", f"{olga}@Desk.example")
            assert (code, done) == (0, {"done": act, "player": ann})
    told = await events(log, ann)
    assert [one["type"] for one in told] == ["muted", "unmuted", "renamed", "closed", "reopened"]
    assert all((one["by"], one["player"], one["why"]) == (olga, ann, "insults") for one in told)
    at, until = (datetime.fromisoformat(told[0][field]) for field in ("at", "until"))
    assert until - at == timedelta(days=7)
    async with folding(log, settings.postgres_url):
        await folded(log, settings.postgres_url)
    assert (await call(settings, "audit", ann))[0] == 0
    assert (await call(settings, "replay", "--check", "--projection", "moderation"))[0] == 0


async def test_without_a_game_service_the_command_writes_to_the_log_itself(
    settings: Settings, connection: Connection, log: Log, account: Account
) -> None:
    olga, ann = account(), account()
    code, output, _ = await call(settings, "moderate", "mute", ann, *WHY, "--as", olga)
    assert (code, output) == (0, f"Done: mute {ann}.\n")
    [event] = await events(log, ann)
    assert (event["type"], event["until"]) == ("muted", None)


async def test_reports_are_listed_and_decided_once(
    settings: Settings, connection: Connection, log: Log, account: Account
) -> None:
    olga, ann, bob = account(), account(), account()
    game, message = ids.new_id(), ids.new_id()
    rows(settings.postgres_url, "insert into reports values (%s, %s, %s, %s, now())", game, message, bob, ann)
    now = clock()()
    text = Said(id=message, by=ann, text="an unkind word", at=now, until=now + timedelta(hours=1))
    await ChatStore(connection).add(game, message, said.encode(text), timedelta(hours=1))
    decide = ("moderate", "decide", game, message, *WHY, "--as", olga)

    async def listed(*state: str) -> Any:
        _, found = await call_json(settings, "moderate", "reports", *state)
        return next((one for one in found if one["message"] == message), None)

    async with copy(settings, Clock()), folding(log, settings.postgres_url):
        report = await listed()
        assert (report["text"], report["about"]["id"], report["reporter"]["id"]) == ("an unkind word", ann, bob)
        assert (await call(settings, *decide))[0] == 2  # upheld or dismissed?
        assert (await call_json(settings, *decide, "--upheld")) == (0, {"done": "decide_report", "player": ann})
        code, _, problem = await call(settings, *decide, "--dismissed")
        assert (code, problem) == (1, "Error: The reports of this message have been decided. (report_decided)\n")
        await folded(log, settings.postgres_url)
        assert await listed() is None
        decision = (await listed("--state", "decided"))["decision"]
        assert (decision["by"], decision["upheld"], decision["why"]) == (olga, True, "insults")
        _, output, _ = await call(settings, "moderate", "reports", "--state", "all")
        assert f"Name {ann[-6:]}" in output
        assert "upheld" in output


async def test_a_game_is_shown_as_a_player_saw_it(
    settings: Settings, connection: Connection, log: Log, account: Account
) -> None:
    olga, game = account(), Game(connection, Clock())
    async with copy(settings, Clock()):
        await game.started()
        await game.guess(game.ann, "abbey")
        await game.guess(game.bob, "allot")
        then = await game.look(game.ann, after=2)
        show = ("moderate", "show", game.id, "--player", game.ann, *WHY, "--as", olga)
        code, found = await call_json(settings, *show, "--at", "3")
        assert (code, found["version"], found["versions"]) == (0, 3, 4)
        assert found["view"] == msgspec.json.decode(then.seen[0].view)
        _, output, _ = await call(settings, *show)
        assert output.startswith(f"version 4 of 4, as {game.ann} saw it\n")
        assert not {word for word in ("banal", "allot") if word in output}
        assert (await call(settings, *show, "--at", "5"))[
            2
        ] == "Error: The game has no such version. (unknown_version)\n"
        eve = ("moderate", "show", game.id, "--player", "eve", *WHY, "--as", olga)
        assert (await call(settings, *eve))[2].endswith("(not_a_player)\n")
    told = [(one["type"], one["version"]) for one in await events(log, game.ann)]
    assert told == [("looked_up", 3), ("looked_up", 4)]


async def test_who_acts_must_be_an_account_and_an_operator_if_some_are_named(
    settings: Settings, connection: Connection, log: Log, account: Account
) -> None:
    olga, ann = account(), account()
    mute = ("moderate", "mute", ann, *WHY)
    assert (await call(settings, *mute))[0] == 2
    assert (await call(settings, *mute, "--as", "nobody"))[2] == "Error: there is no account nobody\n"
    named = replace(settings, operators=(f"{olga}@desk.example",))
    refused = (await call(named, *mute, "--as", ann))[2]
    assert refused == "Error: This is for operators of the service. (not_an_operator)\n"
    assert await events(log, ann) == []
    assert (await call(named, *mute))[0] == 0
    assert [one["by"] for one in await events(log, ann)] == [olga]


@pytest.mark.parametrize(
    "words",
    [
        ("mute", "{ann}", "--as", "{olga}"),
        ("mute", "{ann}", "--as", "{olga}", "--why", " "),
        ("mute", "{ann}", "--as", "{olga}", "--why", "x" * 201),
        ("mute", "{ann}", "--as", "{olga}", "--why", "x", "--for", "1y"),
        ("mute", "{ann}", "--as", "{olga}", "--why", "x", "--for", "0d"),
        ("show", "nonsense", "--player", "{ann}", "--as", "{olga}", "--why", "x"),
        ("close", "nobody", "--as", "{olga}", "--why", "x"),
    ],
)
async def test_what_makes_no_sense_is_said_and_not_done(
    settings: Settings, connection: Connection, log: Log, account: Account, words: tuple[str, ...]
) -> None:
    olga, ann = account(), account()
    code, _, problem = await call(settings, "moderate", *(word.format(ann=ann, olga=olga) for word in words))
    assert code in (1, 2)
    assert "Error: " in problem
    assert "Traceback" not in problem
    assert await events(log, ann) == []

"""What tokens may be used for."""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from libs.runtime import ids
from libs.runtime.settings import Settings
from services.api.accounts.scopes import SCOPES, needed, packed, unpacked
from services.api.accounts.sessions import TOKEN_LIFETIME, Session, Signer
from services.api.database import Database
from services.api.housekeeping import tidy
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute
from tests.until import until


@pytest.fixture
async def ann(ann: Player) -> Player:
    """An account."""
    return await ann.sign_in(f"{ids.new_id()}@example.org")


async def program(ann: Player, player: NewPlayer, *scopes: str) -> Player:
    """A program of hers with a token for these scopes."""
    one = player()
    made = await ann.post("/me/tokens", {"label": "bot", "scopes": list(scopes)})
    one.id, one.token = ann.id, made["token"]
    return one


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/api/v1/me", "read"), ("HEAD", "/api/v1/me", "read"), ("GET", "/api/v1/games", "read"),
        ("WS", "/api/v1/games/x/live", "read"), ("GET", "/api/v1/rivals", "read"), ("GET", "/api/v1/sign-in", "read"),
        ("POST", "/api/v1/games/x/guesses", "play"), ("POST", "/api/v1/duels", "play"),
        ("DELETE", "/api/v1/invites/x", "play"), ("POST", "/api/v1/games/x/chat", "play"),
        ("POST", "/api/v1/whatever/comes/later", "play"),
        ("PATCH", "/api/v1/me", "account"), ("DELETE", "/api/v1/me", "account"),
        ("GET", "/api/v1/me/tokens", "account"), ("GET", "/api/v1/me/sessions", "account"),
        ("GET", "/api/v1/me/export", "account"), ("GET", "/api/v1/blocks", "account"),
        ("POST", "/api/v1/sign-in/confirm", "account"), ("DELETE", "/api/v1/session", None),
    ],
)  # fmt: skip
def test_each_request_needs_one_scope(method: str, path: str, scope: str | None) -> None:
    assert needed(method, path) == scope


async def test_a_token_that_reads_does_nothing_else(ann: Player, bob: Player, player: NewPlayer) -> None:
    game = await duel(ann, bob)
    reader = await program(ann, player, "read")
    assert (await reader.get("/me"))["player"]["id"] == ann.id
    assert (await reader.get(f"/games/{game}"))["id"] == game
    async with reader.live(game) as socket:
        await socket.recv()
    for method, path, body, needs in (
        ("POST", f"/games/{game}/guesses", {"word": "allot"}, "play"),
        ("POST", "/invites", {"kind": "duel", "secret": "crepe"}, "play"),
        ("PATCH", "/me", {"filter": False}, "account"),
        ("GET", "/me/tokens", None, "account"),
        ("POST", "/me/tokens", {"label": "more"}, "account"),
    ):
        told = await reader.refused("scope", 403, method, path, body)
        assert told["needs"] == needs
    assert (await ann.get(f"/games/{game}"))["version"] == 2


async def test_a_token_that_plays_sees_what_its_moves_come_to_and_no_lists(
    ann: Player, bob: Player, player: NewPlayer
) -> None:
    game = await duel(ann, bob)
    bot = await program(ann, player, "play")
    assert (await bot.post(f"/games/{game}/guesses", {"word": "allot"}))["version"] == 3
    assert (await bot.refused("scope", 403, "GET", "/games"))["needs"] == "read"
    await bot.refused("scope", 403, "DELETE", "/me/sessions")


async def test_a_token_makes_none_that_may_do_more_than_itself(ann: Player, player: NewPlayer) -> None:
    clerk = await program(ann, player, "account", "read")
    assert (await clerk.post("/me/tokens", {"label": "x", "scopes": ["read"]}))["scopes"] == ["read"]
    assert (await clerk.refused("scope", 403, "POST", "/me/tokens", {"label": "x"}))["needs"] == "play"


async def test_a_token_may_always_end_itself(ann: Player, player: NewPlayer) -> None:
    bot = await program(ann, player, "play")
    assert (await bot.send("DELETE", "/session")).status_code == 204
    await bot.refused("unauthorized", 401, "POST", "/invites", {"kind": "duel", "secret": "crepe"})


@pytest.mark.parametrize("scopes", [[], ["write"], ["read", "admin"], "read", [1]])
async def test_a_scope_that_there_is_not_is_refused(ann: Player, scopes: Any) -> None:
    told = await ann.refused("malformed", 400, "POST", "/me/tokens", {"label": "x", "scopes": scopes})
    assert told["where"].startswith("$.scopes")


async def test_scopes_belong_to_the_request_key(ann: Player) -> None:
    body = {"label": "x", "scopes": ["play", "read", "play"]}
    made = await ann.post("/me/tokens", body, key="k")
    assert made["scopes"] == ["read", "play"]
    assert await ann.post("/me/tokens", {"label": "x", "scopes": ["read", "play"]}, key="k") == made
    await ann.refused("key_reused", 409, "POST", "/me/tokens", {"label": "x"}, key="k")


async def test_a_token_is_listed_with_the_day_of_its_last_use(ann: Player, player: NewPlayer) -> None:
    reader = await program(ann, player, "read")
    [listed] = (await ann.get("/me/tokens"))["tokens"]
    assert listed["last_used"] is None
    lasts = datetime.fromisoformat(listed["expires_at"]) - datetime.fromisoformat(listed["created_at"])
    assert lasts == timedelta(days=365) == TOKEN_LIFETIME
    await reader.get("/me")

    async def used() -> Any:
        [token] = (await ann.get("/me/tokens"))["tokens"]
        return token["last_used"]

    assert await until(used, 20) == datetime.now(UTC).date().isoformat()


async def test_an_older_token_without_scopes_is_good_for_everything(ann: Player, player: NewPlayer) -> None:
    signer = Signer(ann.service.settings)
    id_ = ids.new_id()
    packed_then = [UUID(id_).bytes, UUID(ann.id).bytes, False, int(datetime.now(UTC).timestamp()), []]
    payload = urlsafe_b64encode(msgspec.msgpack.encode(packed_then)).rstrip(b"=")
    bot = player()
    bot.token = f"wy_{signer._tokens.sign(payload).decode()}"
    assert (await bot.get("/me"))["player"]["id"] == ann.id
    await bot.post("/invites", {"kind": "duel", "secret": "crepe"})
    await bot.get("/me/tokens")


def test_scopes_travel_in_the_token() -> None:
    signer = Signer(Settings(secret_key="x" * 32))
    for scopes in ((), ("read",), ("play",), ("read", "account"), SCOPES):
        now = datetime(2026, 1, 1, tzinfo=UTC)
        session = Session(id=ids.new_id(), player=ids.new_id(), guest=False, issued=now, scopes=scopes)
        assert signer.read_token(signer.token(session)) == session
        assert unpacked(packed(scopes)) == scopes


async def test_a_token_is_worth_nothing_after_a_year(ann: Player, player: NewPlayer) -> None:
    signer, now = Signer(ann.service.settings), datetime.now(UTC).replace(microsecond=0)
    for age, status in ((TOKEN_LIFETIME - timedelta(hours=1), 200), (TOKEN_LIFETIME + timedelta(hours=1), 401)):
        bot = player()
        bot.token = signer.token(Session(id=ids.new_id(), player=ann.id, guest=False, issued=now - age))
        assert (await bot.send("GET", "/me")).status_code == status


async def test_what_is_out_of_use_is_forgotten(ann: Player) -> None:
    await execute(
        ann.service,
        """insert into sessions (id, player, made_at, seen_on, ended_at) values
        ('idle', %(p)s, now(), current_date - 188, null), ('rare', %(p)s, now(), current_date - 186, null),
        ('ended long ago', %(p)s, now(), current_date, now() - '181 days'::interval),
        ('ended', %(p)s, now(), current_date, now() - '179 days'::interval)""".replace("%(p)s", f"'{ann.id}'"),
    )
    await execute(
        ann.service,
        f"""insert into api_tokens (id, player, label, scopes, made_at) values
        ('old', '{ann.id}', '', '{{}}', now() - '366 days'::interval),
        ('older', '{ann.id}', '', '{{}}', now() - '364 days'::interval)""",  # noqa: S608 - an id of ours
    )
    database = Database(ann.service.settings)
    await database.open()
    await tidy(database, datetime.now(UTC))
    await database.close()
    kept = await execute(ann.service, "select id from sessions where id !~ '-' order by id")
    assert kept == [("ended",), ("rare",)]
    assert await execute(ann.service, "select id from api_tokens where id !~ '-'") == [("older",)]

"""Signing in at a real OpenID Connect provider, which runs in a process of its own and lies when it is told to."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from msgspec.structs import replace

from libs.runtime import ids
from libs.runtime.embedded.ports import free_port
from libs.runtime.settings import BadSetting, Settings
from services.api.accounts.oidc import is_own_path
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, problem
from tests.services.api.provider import CLIENT, SECRET
from tests.services.api.service import Service, running
from tests.until import until

CALLBACK = "/api/v1/sign-in/oidc/callback"


class Provider:
    """The provider, and how a browser signs in there."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes]
        self.begin()

    def begin(self) -> None:
        command = [sys.executable, "-m", "tests.services.api.provider", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()

    async def ready(self) -> None:
        async def answers() -> bool:
            try:
                await self.told()
            except httpx.HTTPError:
                return False
            return True

        await until(answers, 20)

    async def told(self, **what: Any) -> Any:
        """Tell it how to lie from now on; with nothing it is honest again. Answers with what it was asked so far."""
        async with httpx.AsyncClient(trust_env=False) as client:
            return (await client.post(f"{self.url}/told", json=what)).json()

    async def sign_in(self, url: str, sub: str, **user: str) -> str:
        """Sign in as this subject; answers with the address that the browser is sent back to."""
        query = "".join(f"&{name}={value}" for name, value in {"sub": sub, **user}.items())
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(url + query)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


@pytest.fixture(scope="module")
def a_provider() -> Iterator[Provider]:
    provider = Provider()
    try:
        yield provider
    finally:
        provider.end()


@pytest.fixture
async def provider(a_provider: Provider) -> Provider:
    """The provider, honest at first."""
    await a_provider.ready()
    return a_provider


@pytest.fixture(scope="module")
def service(api_settings: Settings, a_provider: Provider) -> Iterator[Service]:
    settings = replace(
        api_settings, oidc_issuer=a_provider.url, oidc_client_id=CLIENT, oidc_client_secret=SECRET, rate_limit=False
    )
    with running(settings) as service:
        yield service


async def begin(player: Player, return_to: str = "/") -> str:
    """Where the page sends the browser."""
    return str((await player.post("/sign-in/oidc", {"return_to": return_to}))["url"])


async def come_back(player: Player, back: str) -> str:
    """Where the browser goes on."""
    answer = await player.http.get(back)
    assert answer.status_code == 303
    assert answer.headers["cache-control"] == "no-store"
    return str(answer.headers["location"])


async def sign_in(player: Player, provider: Provider, sub: str, **user: str) -> Player:
    assert await come_back(player, await provider.sign_in(await begin(player, "/rivals"), sub, **user)) == "/rivals"
    me = await player.get("/me")
    player.id, player.name, player.csrf = me["player"]["id"], me["player"]["name"], me["csrf"]
    assert me["player"]["guest"] is False
    return player


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


@pytest.fixture
def sub() -> str:
    return ids.new_id()


async def test_a_guest_becomes_an_account_and_comes_back_to_it(
    ann: Player, bob: Player, player: NewPlayer, provider: Provider, sub: str, email: str
) -> None:
    game, guest, old = await duel(ann, bob), ann.id, ann.http.cookies["wordyard"]
    await sign_in(ann, provider, sub, email=email, verified="1")
    assert (ann.id, (await ann.get("/me"))["email"]) == (guest, email)
    thief = player()
    thief.http.cookies.set("wordyard", old)
    assert (await thief.get("/me"))["player"] is None
    other = await sign_in(player(), provider, sub)
    assert (other.id, (await other.get(f"/games/{game}"))["id"]) == (ann.id, game)


async def test_the_page_is_told_that_there_is_a_provider(ann: Player, provider: Provider) -> None:
    assert await ann.get("/sign-in") == {"provider": "GameShack"}
    query = parse_qs(urlsplit(await begin(ann)).query)
    assert query["tenant"] == ["1"]
    assert (query["response_type"], query["code_challenge_method"], query["scope"]) == (
        ["code"], ["S256"], ["openid email"],
    )  # fmt: skip
    assert query["redirect_uri"] == [f"{ann.service.url}{CALLBACK}"]


async def test_a_guest_of_this_browser_joins_the_account_that_signs_in(
    ann: Player, bob: Player, player: NewPlayer, provider: Provider, sub: str
) -> None:
    account = await sign_in(player(), provider, sub)
    game = await duel(ann, bob)
    await sign_in(ann, provider, sub)
    assert ann.id == account.id
    assert (await account.get(f"/games/{game}"))["you"]["player"]["id"] == account.id


async def test_a_verified_address_leads_to_its_account_and_an_unverified_one_to_a_new_one(
    player: NewPlayer, provider: Provider, sub: str, email: str
) -> None:
    known = await player().sign_in(email)
    stranger = await sign_in(player(), provider, f"not {sub}", email=email, verified="0")
    assert stranger.id != known.id
    assert "email" not in await stranger.get("/me")
    assert (await sign_in(player(), provider, sub, email=email.upper(), verified="1")).id == known.id
    assert (await sign_in(player(), provider, sub)).id == known.id
    assert (await player().sign_in(email)).id == known.id


async def test_an_address_that_the_provider_gives_to_somebody_else_leads_to_no_old_account(
    player: NewPlayer, provider: Provider, sub: str, email: str
) -> None:
    before = await sign_in(player(), provider, sub, email=email, verified="1")
    after = await sign_in(player(), provider, f"heir of {sub}", email=email, verified="1")
    assert after.id != before.id
    assert "email" not in await after.get("/me")
    assert (await player().sign_in(email)).id == before.id


async def test_an_address_told_apart_from_the_token_counts_too(
    player: NewPlayer, provider: Provider, sub: str, email: str
) -> None:
    await provider.told(plain=True)
    one = await sign_in(player(), provider, sub, email=email, verified="1")
    assert (await one.get("/me"))["email"] == email
    await provider.told(plain=True, userinfo={"sub": "somebody else"})
    await refused(player(), provider, f"not {sub}")


async def test_a_new_key_is_fetched_when_a_token_names_it(player: NewPlayer, provider: Provider, sub: str) -> None:
    await sign_in(player(), provider, sub)
    await provider.told(rotate=True)
    await sign_in(player(), provider, sub)


async def test_two_browsers_that_sign_in_at_once_make_one_account(
    player: NewPlayer, provider: Provider, sub: str, email: str
) -> None:
    browsers = [player() for _ in range(4)]
    signed = await asyncio.gather(*(sign_in(browser, provider, sub, email=email, verified="1") for browser in browsers))
    assert len({one.id for one in signed}) == 1


async def refused(player: Player, provider: Provider, sub: str, code: str = "sign_in_failed") -> None:
    back = await provider.sign_in(await begin(player), sub, email=f"{sub}@example.org", verified="1")
    assert await come_back(player, back) == f"/sign-in?problem={code}"
    assert (await player.get("/me"))["player"] is None
    assert await execute(player.service, "select 1 from identities where subject = %s", sub) == []


@pytest.mark.parametrize(
    "lie",
    [
        {"signed": "foreign"}, {"signed": "shared"}, {"signed": "none"}, {"signed": "changed"}, {"signed": "unknown"},
        {"claims": {"iss": "https://elsewhere.example"}}, {"claims": {"iss": None}},
        {"claims": {"aud": "another"}}, {"claims": {"aud": []}}, {"claims": {"aud": [CLIENT, "another"]}},
        {"claims": {"azp": "another"}},
        {"claims": {"nonce": "another"}}, {"claims": {"nonce": None}},
        {"claims": {"exp": 1}}, {"claims": {"exp": None}}, {"claims": {"iat": 99_999_999_999}},
        {"claims": {"nbf": 99_999_999_999}},
        {"claims": {"sub": ""}}, {"claims": {"sub": None}}, {"claims": {"sub": 7}}, {"claims": {"sub": "x" * 256}},
    ],
    ids=str,
)  # fmt: skip
async def test_a_token_that_is_not_right_is_refused(
    player: NewPlayer, provider: Provider, sub: str, lie: dict[str, Any]
) -> None:
    await provider.told(**lie)
    await refused(player(), provider, sub)


@pytest.mark.parametrize("ago", [-50, 50])
async def test_clocks_may_differ_by_a_minute(player: NewPlayer, provider: Provider, sub: str, ago: int) -> None:
    [[now]] = await execute(player().service, "select extract(epoch from now())::int")
    await provider.told(claims={"iat": now - ago, "exp": now - ago})
    await sign_in(player(), provider, sub)


async def test_tokens_with_unknown_keys_do_not_make_us_ask_without_end(
    player: NewPlayer, provider: Provider, sub: str
) -> None:
    before = (await provider.told(signed="unknown"))["keys"]
    for _ in range(16):
        one = player()
        back = await provider.sign_in(await begin(one), sub)
        assert await come_back(one, back) in {f"/sign-in?problem={code}" for code in ("sign_in_failed", "rate_limited")}
    assert (await provider.told())["keys"] - before <= 12  # six in each of two minutes


async def test_a_way_back_works_once(player: NewPlayer, provider: Provider, sub: str) -> None:
    one, thief = player(), player()
    back = await provider.sign_in(await begin(one), sub)
    cookie = one.http.cookies["wordyard_sign_in"]
    assert await come_back(one, back) == "/account"
    assert "wordyard_sign_in" not in one.http.cookies
    assert await come_back(one, back) == "/sign-in?problem=sign_in_failed"
    thief.http.cookies.set("wordyard_sign_in", cookie, path="/api/v1/sign-in/oidc")
    assert await come_back(thief, back) == "/sign-in?problem=sign_in_failed"  # the provider knows the code no more
    state = parse_qs(urlsplit(back).query)["state"][0]
    used = await execute(one.service, "select count(*) from returns where state = sha256(%s)", state.encode())
    assert used == [(1,)]


async def test_two_who_come_back_with_the_same_state_do_not_both_get_in(
    player: NewPlayer, provider: Provider, sub: str
) -> None:
    one, twin = player(), player()
    url = await begin(one)
    twin.http.cookies.set("wordyard_sign_in", one.http.cookies["wordyard_sign_in"], path="/api/v1/sign-in/oidc")
    assert await come_back(one, await provider.sign_in(url, sub)) == "/account"
    await provider.told(claims={})
    again = await provider.sign_in(url, sub)  # a second code for the same state and nonce
    assert await come_back(twin, again) == "/sign-in?problem=sign_in_used"
    assert (await twin.get("/me"))["player"] is None


async def test_only_the_browser_that_began_can_come_back(player: NewPlayer, provider: Provider, sub: str) -> None:
    attacker, victim = player(), player()
    back = await provider.sign_in(await begin(attacker), sub)
    assert await come_back(victim, back) == "/sign-in?problem=sign_in_failed"
    await begin(victim)  # under way herself, with another state
    assert await come_back(victim, back) == "/sign-in?problem=sign_in_failed"
    assert (await victim.get("/me"))["player"] is None


@pytest.mark.parametrize(
    "change", [lambda c: c[:-3] + "AAA", lambda c: "x" + c, lambda c: c.split(".")[0], lambda c: "x"]
)
async def test_a_cookie_that_was_changed_is_none(player: NewPlayer, provider: Provider, sub: str, change: Any) -> None:
    one = player()
    back = await provider.sign_in(await begin(one), sub)
    cookie = change(one.http.cookies["wordyard_sign_in"])
    one.http.cookies.clear()
    one.http.cookies.set("wordyard_sign_in", cookie, path="/api/v1/sign-in/oidc")
    assert await come_back(one, back) == "/sign-in?problem=sign_in_failed"


async def test_the_cookie_of_the_way_back_is_for_the_server_alone(player: NewPlayer, provider: Provider) -> None:
    answer = await player().send("POST", "/sign-in/oidc", {})
    cookie: Any = SimpleCookie(answer.headers["set-cookie"])["wordyard_sign_in"]
    assert (cookie["path"], cookie["samesite"], cookie["max-age"]) == ("/api/v1/sign-in/oidc", "Lax", "600")
    assert cookie["httponly"]


async def test_a_stolen_code_is_worth_nothing_without_its_verifier(
    player: NewPlayer, provider: Provider, sub: str
) -> None:
    victim, thief = player(), player()
    stolen = parse_qs(urlsplit(await provider.sign_in(await begin(victim), sub)).query)["code"][0]
    state = parse_qs(urlsplit(await begin(thief)).query)["state"][0]
    assert await come_back(thief, f"{CALLBACK}?code={stolen}&state={state}") == "/sign-in?problem=sign_in_failed"


async def test_another_issuer_in_the_answer_is_refused(player: NewPlayer, provider: Provider, sub: str) -> None:
    one = player()
    back = await provider.sign_in(await begin(one), sub)
    assert await come_back(one, f"{back}&iss=https://elsewhere.example") == "/sign-in?problem=sign_in_failed"


async def test_whoever_says_no_at_the_provider_is_told_so(ann: Player, provider: Provider, sub: str) -> None:
    back = await provider.sign_in(await begin(ann), sub, deny="1")
    assert await come_back(ann, back) == "/sign-in?problem=sign_in_cancelled"
    assert (await ann.get("/me"))["player"]["id"] == ann.id


async def test_after_signing_in_one_is_where_one_was(player: NewPlayer, provider: Provider, sub: str) -> None:
    for to in ("/account", "/game/x?after=7", "/rivals#top", "/"):
        one = player()
        assert await come_back(one, await provider.sign_in(await begin(one, to), sub)) == to


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/a\\b",
        "javascript:alert(1)", "evil", "", " /", "/ /", "/\r\nSet-Cookie: a=b", "/é", f"/{'x' * 1024}",
    ],
)  # fmt: skip
async def test_nobody_is_sent_elsewhere(ann: Player, provider: Provider, to: str) -> None:
    assert not is_own_path(to)
    await ann.refused("malformed", 400, "POST", "/sign-in/oidc", {"return_to": to})


async def test_another_page_cannot_begin_a_sign_in(ann: Player, provider: Provider) -> None:
    await ann.refused("csrf", 403, "POST", "/sign-in/oidc", {}, Origin="https://evil.example")
    await ann.refused("csrf", 403, "POST", "/sign-in/oidc", {}, X_CSRF_Token="")
    await ann.refused("method_not_allowed", 405, "GET", "/sign-in/oidc")


async def test_nothing_of_the_provider_is_logged(player: NewPlayer, provider: Provider, sub: str, email: str) -> None:
    one = player()
    back = await provider.sign_in(await begin(one), sub, email=email, verified="1")
    await come_back(one, back)
    secrets = [email, *parse_qs(urlsplit(back).query)["code"], *parse_qs(urlsplit(back).query)["state"], SECRET]
    assert [secret for secret in secrets if secret in one.service.api.lines()] == []


async def test_without_a_provider_there_is_none(api_settings: Settings) -> None:
    with running(api_settings, game=False, ready=False) as copy:
        one = Player(copy)
        assert await one.get("/sign-in") == {"provider": None}
        await one.refused("not_found", 404, "POST", "/sign-in/oidc", {})
        await one.refused("not_found", 404, "GET", "/sign-in/oidc/callback?code=a&state=b")
        await one.http.aclose()


@pytest.mark.parametrize(
    "discovery", [{"issuer": "https://elsewhere.example"}, {"token_endpoint": "ftp://x"}, {"jwks_uri": None}]
)
async def test_a_provider_that_does_not_say_what_it_must_is_as_good_as_down(
    api_settings: Settings, provider: Provider, discovery: dict[str, Any]
) -> None:
    await provider.told(discovery=discovery)
    settings = replace(api_settings, oidc_issuer=provider.url, oidc_client_id=CLIENT, oidc_client_secret=SECRET)
    with running(settings, game=False, ready=False) as copy:
        one = Player(copy)
        await one.refused("provider_down", 503, "POST", "/sign-in/oidc", {})
        await one.http.aclose()


async def test_while_the_provider_is_down_mail_works(api_settings: Settings, sub: str, email: str) -> None:
    provider = Provider()
    settings = replace(api_settings, oidc_issuer=provider.url, oidc_client_id=CLIENT, oidc_client_secret=SECRET)
    try:
        with running(settings) as copy:
            one = Player(copy)
            os.kill(provider.process.pid, signal.SIGKILL)
            provider.process.wait()
            answer = await one.send("POST", "/sign-in/oidc", {})
            problem(answer, "provider_down", 503)
            assert answer.headers["retry-after"] == "5"
            provider.begin()
            await provider.ready()
            back = await provider.sign_in(await begin(one), sub)
            provider.end()
            assert await come_back(one, back) == "/sign-in?problem=provider_down"
            assert (await one.sign_in(email)).id
            await one.http.aclose()
    finally:
        provider.end()


@pytest.mark.parametrize(
    "wrong",
    [
        {"oidc_issuer": "https://id.example"},
        {"oidc_issuer": "http://id.example", "oidc_client_id": "x"},
        {"oidc_issuer": "id.example", "oidc_client_id": "x"},
    ],
)
def test_a_provider_that_cannot_be_trusted_is_told_at_the_start(wrong: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match="WORDYARD_OIDC_"):
        Settings(**wrong)

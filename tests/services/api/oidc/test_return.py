"""The way to the provider and back: for the browser that began, once, and to a page of ours."""

from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from services.api.accounts.oidc import is_own_path
from tests.services.api.conftest import NewPlayer
from tests.services.api.oidc.provider import SECRET
from tests.services.api.oidc.signing import CALLBACK, Provider, begin, come_back
from tests.services.api.player import Player, execute


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

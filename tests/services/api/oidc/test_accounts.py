"""Whose account it is that somebody has proven to own at the provider, and what proves nothing."""

import asyncio
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.services.api.conftest import NewPlayer
from tests.services.api.oidc.provider import CLIENT
from tests.services.api.oidc.signing import CALLBACK, Provider, begin, come_back, refused, sign_in
from tests.services.api.player import Player, duel, execute


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

"""Providers that are not set, not right, or not there."""

import os
import signal
from typing import Any

import pytest
from msgspec.structs import replace

from libs.runtime.settings import BadSetting, Settings
from tests.services.api.oidc.provider import CLIENT, SECRET
from tests.services.api.oidc.signing import Provider, begin, come_back
from tests.services.api.player import Player, problem
from tests.services.api.service import running


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

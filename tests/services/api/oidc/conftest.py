"""One provider for these tests, and a Wordyard that is set to it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from libs.runtime import ids
from libs.runtime.settings import Settings
from tests.services.api.oidc.provider import CLIENT, SECRET
from tests.services.api.oidc.signing import Provider
from tests.services.api.service import Service, running


@pytest.fixture(scope="package")
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


@pytest.fixture(scope="package")
def service(api_settings: Settings, a_provider: Provider) -> Iterator[Service]:
    settings = replace(
        api_settings, oidc_issuer=a_provider.url, oidc_client_id=CLIENT, oidc_client_secret=SECRET, rate_limit=False
    )
    with running(settings) as service:
        yield service


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


@pytest.fixture
def sub() -> str:
    return ids.new_id()

"""What the tests of encryption share: an authority that is trusted, and one that is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers
from tests.security.authority import HOST, Authority, Pair


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    with servers.folder() as path:
        yield path


@pytest.fixture(scope="session")
def authority(folder: Path) -> Authority:
    """The one that our settings name."""
    return Authority(folder, "ours")


@pytest.fixture(scope="session")
def stranger(folder: Path) -> Authority:
    """Another one."""
    return Authority(folder, "another")


@pytest.fixture(scope="session")
def right(authority: Authority) -> Pair:
    """A certificate that must be believed."""
    return authority.server(HOST)


WRONG = {
    "another authority": "self-signed certificate in certificate chain|unable to get local issuer certificate",
    "expired": "certificate has expired",
    "another name": "[Mm]ismatch|does not match host name",
}
"""What may be wrong with a server's certificate, and what must be said."""


@pytest.fixture(params=WRONG)
def wrong(request: pytest.FixtureRequest, authority: Authority, stranger: Authority) -> tuple[Pair, str]:
    """A certificate that must be refused, and a pattern of what must be said."""
    pairs = {
        "another authority": lambda: stranger.server(HOST),
        "expired": lambda: authority.server(HOST, expired=True),
        "another name": lambda: authority.server("127.0.0.9"),
    }
    return pairs[request.param](), WRONG[request.param]

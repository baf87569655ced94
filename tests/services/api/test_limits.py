"""Whose requests are counted together."""

import pytest

from libs.runtime.settings import Settings
from services.api.limits import Limits


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("192.0.2.7", "", "192.0.2.7"),
        ("192.0.2.7", "198.51.100.9", "192.0.2.7"),  # anybody can say so
        ("10.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "203.0.113.5, 198.51.100.9, 10.0.0.2", "198.51.100.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),  # a household has a whole network
        ("::ffff:192.0.2.7", "", "192.0.2.7"),
        ("::ffff:10.0.0.1", "::ffff:198.51.100.9", "198.51.100.9"),
    ],
)
def test_an_address_is_counted_as_who_has_it(peer: str, forwarded: str, counted: str) -> None:
    limits = Limits(Settings(trusted_proxies=("10.0.0.0/8",)))
    assert limits.address(peer, forwarded) == counted

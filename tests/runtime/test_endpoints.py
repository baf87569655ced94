"""Nothing that strangers give us makes us send into our own network."""

import socket
from typing import Any

import pytest

from libs.runtime.endpoints import Inside, address_of, parsed


@pytest.mark.parametrize("host", ["push.example.com", "web.push.example.co.uk", "a-b.example"])
def test_a_public_name_is_sent_to(host: str) -> None:
    assert parsed(f"https://{host}/send/x?y=z").hostname == host


@pytest.mark.parametrize(
    "address",
    [
        "https://localhost/x",
        "https://10.0.0.1/x",
        "https://2130706433/x",
        "https://0x7f000001/x",
        "https://0x7f.0.0.0x1/x",
        "https://127.1/x",
        "https://[fd00::1]/x",
        "https://intranet/x",
        "https://db.local/x",
        "https://push.example.com./x",
        "https://push.example.com:443/x",
        "https://push.example.com:80/x",
        "http://push.example.com/x",
        "https://a:b@push.example.com/x",
        "https://push.example.com/x#y",
        "https://push.example.com/ x",
        "https://push.example.com/\nx",
        "https://bücher.example/x",
        "https://[::1/x",
        "https://push.example.com:port/x",
        "",
    ],
)
def test_everything_else_is_not(address: str) -> None:
    with pytest.raises(Inside):
        parsed(address)


def test_an_origin_that_is_allowed_is_sent_to_and_no_other() -> None:
    assert parsed("http://127.0.0.1:9/x", ["http://127.0.0.1:9"]).port == 9
    for other in ("http://127.0.0.1:10/x", "https://127.0.0.1:9/x", "http://127.0.0.1:9@127.0.0.1:10/x"):
        with pytest.raises(Inside):
            parsed(other, ["http://127.0.0.1:9"])


@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"],
        ["10.1.2.3"],
        ["192.168.1.1"],
        ["172.16.0.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["0.0.0.0"],
        ["224.0.0.1"],
        ["::1"],
        ["fd00::1"],
        ["fe80::1%eth0"],
        ["fec0::1"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::a00:1"],
        ["64:ff9b:1::a00:1"],
        ["::10.0.0.1"],
        ["::ffff:0:10.0.0.1"],
        ["192.0.0.8"],
        ["2002:a00:1::1"],
        ["93.184.215.14", "10.0.0.1"],
        [],
    ],
)
def test_a_name_that_leads_inside_is_not_sent_to(monkeypatch: pytest.MonkeyPatch, found: list[str]) -> None:
    _leads_to(monkeypatch, found)
    with pytest.raises(Inside):
        address_of("push.example.com")


def test_a_name_that_leads_outside_is_sent_to_by_the_very_address(monkeypatch: pytest.MonkeyPatch) -> None:
    _leads_to(monkeypatch, ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "93.184.215.14"])
    assert address_of("push.example.com") == "93.184.215.14"


def test_a_name_that_there_is_not_is_an_error_of_the_network() -> None:
    with pytest.raises(OSError):
        address_of("no-such-name.invalid")


def _leads_to(monkeypatch: pytest.MonkeyPatch, found: list[str]) -> None:
    """The world's names cannot be had here, so the look-up alone is stood in for."""

    def look_up(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

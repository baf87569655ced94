"""The api speaks TLS by itself: pages, calls and sockets come encrypted, with what browsers then keep to."""

import re
import socket
import ssl
from collections.abc import Iterator

import httpx
import pytest
import websockets
from msgspec.structs import replace

from libs.runtime.embedded import NatsServer
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from tests.security.authority import HOST, Authority, Pair
from tests.services.api.player import BASE
from tests.services.api.service import Process, Service, running


@pytest.fixture(scope="module")
def trust(authority: Authority) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=authority.file)


@pytest.fixture(scope="module")
def service(settings: Settings, right: Pair, trust: ssl.SSLContext) -> Iterator[Service]:
    migrate(settings.postgres_url)
    own = replace(settings, embedded=False, tls_cert=right.cert, tls_key=right.key)
    with running(own, trust=trust) as service:
        yield service


async def test_a_duel_is_played_over_https_and_wss(service: Service, trust: ssl.SSLContext) -> None:
    assert service.url.startswith("https://")
    async with (
        httpx.AsyncClient(base_url=service.url, verify=trust, trust_env=False) as ann,
        httpx.AsyncClient(base_url=service.url, verify=trust, trust_env=False) as bob,
    ):
        headers = []
        for one in (ann, bob):
            entered = await one.post(f"{BASE}/session/guest")
            assert "; Secure" in entered.headers["set-cookie"]
            headers.append({"X-CSRF-Token": entered.json()["csrf"], "Origin": service.url})
        invite = await ann.post(f"{BASE}/invites", json={"kind": "duel", "secret": "crepe"}, headers=headers[0])
        token = invite.json()["token"]
        game = await bob.post(f"{BASE}/invites/{token}/accept", json={"secret": "sight"}, headers=headers[1])
        address = f"wss{service.url.removeprefix('https')}{BASE}/games/{game.json()['id']}/live"
        cookie = "; ".join(f"{name}={value}" for name, value in ann.cookies.items())
        own = {"Cookie": cookie, "Origin": service.url}
        async with websockets.connect(address, ssl=trust, additional_headers=own, origin=None, proxy=None) as live:
            assert '"playing"' in str(await live.recv())
            guess = f"{BASE}/games/{game.json()['id']}/guesses"
            assert (await bob.post(guess, json={"word": "crane"}, headers=headers[1])).status_code == 200
            assert '"crane"' not in (said := str(await live.recv()))  # the opponent's letters stay hidden
            assert '"version":' in said


def test_browsers_are_told_to_come_back_encrypted(service: Service, trust: ssl.SSLContext) -> None:
    for path in ("/", f"{BASE}/me", "/static/nothing"):
        found = httpx.get(service.url + path, verify=trust, trust_env=False).headers
        assert found["strict-transport-security"].startswith("max-age=63072000")


def test_a_browser_that_does_not_know_the_authority_goes_no_further(service: Service) -> None:
    with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
        httpx.get(service.url, trust_env=False)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_old_protocols_are_refused(service: Service) -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("DEFAULT:@SECLEVEL=0")
    old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    port = service.settings.port
    with socket.create_connection((HOST, port), timeout=5) as plain, pytest.raises(ssl.SSLError):
        old.wrap_socket(plain)


def test_plain_http_gets_no_answer(service: Service) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(service.url.replace("https", "http"), trust_env=False)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tls_cert": "/nowhere.crt", "tls_key": "/nowhere.key"}, "WORDYARD_TLS_CERT.*No such file"),
        ({"nats_url": f"tls://{HOST}:4222", "nats_ca": "/nowhere.pem"}, "WORDYARD_NATS_CA: No such file"),
    ],
)
def test_a_service_whose_files_cannot_be_used_ends_with_78_and_names_them(
    settings: Settings,
    nats_server: NatsServer,
    change: dict[str, str],
    said: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    log = tmp_path_factory.mktemp("log") / "api.log"
    api = Process("api", replace(settings, embedded=False, **change), log)
    assert api.wait() == 78
    assert re.search(said, api.lines())

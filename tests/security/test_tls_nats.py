"""NATS over TLS: the right authority is believed, all else is told nothing."""

import asyncio
import re

import pytest

from libs.runtime import bus, tls
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.settings import BadSetting, Settings
from libs.runtime.streams import ensure_streams
from tests.security.authority import Authority, Pair
from tests.security.encrypted_nats import encrypted_nats

PATIENCE = 5.0  # seconds


def settings(port: int, ca: str, **more: str) -> Settings:
    return Settings(nats_url=f"tls://{HOST}:{port}", nats_ca=ca, **more)  # type: ignore[arg-type]


async def test_a_server_of_our_authority_is_spoken_to(authority: Authority, right: Pair) -> None:
    with encrypted_nats(right) as port:
        connection = await bus.connect(settings(port, authority.file), "test", PATIENCE)
        await ensure_streams(connection, replicas=1)
        await connection.close()


async def test_a_server_with_a_wrong_certificate_is_refused_and_it_is_said_why(
    authority: Authority, wrong: tuple[Pair, str]
) -> None:
    pair, said = wrong
    with encrypted_nats(pair) as port, pytest.raises(bus.Unreachable) as refused:
        await bus.connect(settings(port, authority.file), "test", patience=1.5)
    assert re.search(said, str(refused.value)), refused.value


async def test_without_a_file_our_authority_is_none_of_this_machine(right: Pair) -> None:
    with encrypted_nats(right) as port, pytest.raises(bus.Unreachable, match="certificate verify failed"):
        await bus.connect(settings(port, ""), "test", patience=1.5)


async def test_where_the_server_wants_a_certificate_ours_is_shown(authority: Authority, right: Pair) -> None:
    ours = authority.client("game")
    with encrypted_nats(right, authority) as port:
        more = {"nats_cert": ours.cert, "nats_key": ours.key}
        await (await bus.connect(settings(port, authority.file, **more), "test", PATIENCE)).close()
        with pytest.raises(bus.Unreachable):
            await bus.connect(settings(port, authority.file), "test", patience=1.5)


async def test_a_client_of_another_authority_is_turned_away(
    authority: Authority, stranger: Authority, right: Pair
) -> None:
    theirs = stranger.client("game")
    more = {"nats_cert": theirs.cert, "nats_key": theirs.key}
    with encrypted_nats(right, authority) as port, pytest.raises(bus.Unreachable):
        await bus.connect(settings(port, authority.file, **more), "test", patience=1.5)


async def test_a_server_that_offers_no_encryption_hears_no_password(authority: Authority) -> None:
    heard = b""

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        writer.write(b'INFO {"version": "2.15.1", "max_payload": 1048576, "headers": true}\r\n')
        while more := await reader.read(65536):
            heard += more
        writer.close()

    port = free_port()
    async with await asyncio.start_server(listen, HOST, port):
        given = settings(port, authority.file, nats_user="game", nats_password="secret-word")
        with pytest.raises(bus.Unreachable, match="the server does not speak TLS"):
            await bus.connect(given, "test", patience=1)
    assert heard == b""


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"nats_url": "tls://a:4222,nats://b:4222"}, "WORDYARD_NATS_URL"),
        ({"nats_ca": "ca.pem"}, "WORDYARD_NATS_CA"),
        ({"nats_url": "tls://a:4222", "nats_cert": "a.crt"}, "WORDYARD_NATS_KEY"),
        ({"tls_cert": "a.crt"}, "WORDYARD_TLS_KEY"),
        ({"tls_cert": "a.crt", "tls_key": "a.key", "embedded": True}, "wordyard up"),
        ({"smtp_url": "http://mail"}, "WORDYARD_SMTP_URL"),
    ],
)
def test_half_of_an_encryption_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        Settings(**wrong)  # type: ignore[arg-type]


def test_files_that_cannot_be_used_are_named_with_the_reason(
    authority: Authority, stranger: Authority, right: Pair
) -> None:
    other = stranger.server("localhost")
    for wrong, said in (
        (settings(1, "/nowhere.pem"), "WORDYARD_NATS_CA: No such file"),
        (settings(1, right.key), "WORDYARD_NATS_CA: not a PEM file"),
        (settings(1, authority.file, nats_cert=right.cert, nats_key=other.key), "the key is of another certificate"),
        (Settings(tls_cert=right.cert, tls_key=authority.file), "WORDYARD_TLS_KEY: not a PEM file"),
        (Settings(smtp_ca="/nowhere.pem"), "WORDYARD_SMTP_CA"),
    ):
        with pytest.raises(BadSetting, match=said):
            tls.require_usable(wrong)

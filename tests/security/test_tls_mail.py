"""Mail leaves encrypted, to a server that has proven who it is, or not at all."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from aiosmtpd.controller import Controller

from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.settings import Settings
from services.solver.delivery import Mail, NotNow, compose, deliver
from tests.security.authority import Authority, Pair
from tests.services.solver.mail_server import Mailbox

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
MAIL = Mail(id="1", recipient="ann@words.example", subject="Hello", body="Here is your link.\n")


@contextmanager
def mail_server(pair: Pair | None, *, implicit: bool = False, host: str = HOST) -> Iterator[Mailbox]:
    """A server that wants encryption: by STARTTLS, or from the beginning; without a certificate it offers none."""
    box, port = Mailbox(), free_port()
    context = None
    if pair:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(pair.cert, pair.key)
    ways = {"ssl_context": context} if implicit else {"tls_context": context, "require_starttls": context is not None}
    controller = Controller(box, hostname=host, port=port, **ways)
    controller.start()
    box.url = f"{'smtps' if implicit else 'smtp'}://{host}:{port}"
    try:
        yield box
    finally:
        controller.stop()


def send(box: Mailbox, **more: object) -> None:
    deliver(compose(MAIL, "Wordyard <hello@words.example>", NOON), Settings(smtp_url=box.url, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("implicit", [False, True], ids=["starttls", "smtps"])
def test_a_server_of_our_authority_gets_it(authority: Authority, right: Pair, implicit: bool) -> None:
    with mail_server(right, implicit=implicit) as box:
        send(box, smtp_ca=authority.file)
        assert [mail["Subject"] for mail in box.taken] == ["Hello"]


@pytest.mark.parametrize("implicit", [False, True], ids=["starttls", "smtps"])
def test_a_server_with_a_wrong_certificate_gets_nothing_and_it_is_said_why(
    authority: Authority, wrong: tuple[Pair, str], implicit: bool
) -> None:
    pair, said = wrong
    with mail_server(pair, implicit=implicit) as box:
        with pytest.raises(NotNow, match=f"certificate is not right: .*({said})"):
            send(box, smtp_ca=authority.file)
        assert box.taken == []


def test_elsewhere_mail_leaves_unencrypted_only_if_that_is_wanted_and_never_with_our_password() -> None:
    with mail_server(None, host="127.0.0.9") as box:  # another address than those that count as this machine
        with pytest.raises(NotNow, match="the server offers no encryption"):
            send(box)
        assert box.taken == []
        send(box, smtp_plain=True)
        assert len(box.taken) == 1
        box.url = box.url.replace("://", "://us:secret@")
        with pytest.raises(NotNow, match="the password would travel unencrypted"):
            send(box, smtp_plain=True)

"""A real SMTP server that keeps what it takes and refuses what it is told to."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from libs.runtime.embedded.ports import free_port


class Mailbox:
    """What came, and what the next ones are answered."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.refusals: list[str] = []
        self.url = ""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take it, or answer with the next refusal."""
        if self.refusals:
            return self.refusals.pop(0)
        content = cast(bytes, envelope.content)
        self.taken.append(cast(EmailMessage, message_from_bytes(content, policy=cast(Any, policy.default))))
        return "250 taken"


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """A server on a free port."""
    box = Mailbox()
    port = free_port()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    box.url = f"smtp://127.0.0.1:{port}"
    try:
        yield box
    finally:
        controller.stop()

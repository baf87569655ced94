"""One mail, handed to an SMTP server. Whether it arrives in the end, nobody tells us."""

import smtplib
import ssl
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from libs.runtime import tls
from libs.runtime.settings import Settings

PATIENCE = 15.0  # seconds for each answer of the server

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_PORTS = {"smtp": 25, "smtps": 465}


class Mail(Struct, frozen=True, kw_only=True):
    """What is sent to whom."""

    id: str
    recipient: str
    subject: str
    body: str
    unsubscribe: str = ""  # where the recipient says that no more of the kind shall come, by one POST (RFC 8058)


class NotNow(Exception):
    """The server could not be reached or asks to come back later. Holds no address and no text."""


class Never(Exception):
    """This mail will be refused however often it is sent. Holds no address and no text."""


def compose(mail: Mail, sender: str, now: datetime) -> EmailMessage:
    """The message as it travels. Its id is the mail's, so that a second copy can be told from another mail.

    Raises `Never` if nobody shall have it any more, or if the recipient or the subject cannot be in a header.
    """
    if not mail.recipient:
        raise Never("its recipient was forgotten")
    message = EmailMessage()
    try:
        message["From"] = sender
        message["To"] = mail.recipient
        message["Subject"] = mail.subject
        message["Date"] = format_datetime(now)
        message["Message-ID"] = f"<{mail.id}@{parseaddr(sender)[1].rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        if mail.unsubscribe:
            message["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    except ValueError:
        raise Never("not a header") from None
    if [one.addr_spec for one in message["To"].addresses] != [mail.recipient]:
        raise Never("read as another address than it is")  # an encoded word (RFC 2047), for one
    message.set_content(mail.body)
    return message


def deliver(message: EmailMessage, settings: Settings) -> None:
    """Hand it to the server of the settings. Raises `NotNow` or `Never`."""
    try:
        with connect(settings) as connection:
            connection.send_message(message)
    except smtplib.SMTPRecipientsRefused as refusal:
        raise _refusal(min((code for code, _ in refusal.recipients.values()), default=0)) from None
    except smtplib.SMTPDataError as refusal:
        raise _refusal(refusal.smtp_code) from None
    except smtplib.SMTPResponseException as refusal:  # of us: our password, our sender; a setting, not this mail
        raise NotNow(f"refused with {refusal.smtp_code}") from None
    except ssl.SSLCertVerificationError as error:
        raise NotNow(f"the server's certificate is not right: {error.verify_message}") from None
    except (smtplib.SMTPException, OSError) as error:
        raise NotNow(type(error).__name__) from None


def connect(settings: Settings) -> smtplib.SMTP:
    """A connection to smtp://user:password@host:port, or to smtps:// where encryption comes first.

    A link to sign in is as good as a password: nothing leaves this machine unencrypted, unless the settings say so, and
    then without our own password. Raises `NotNow`, `OSError` or `smtplib.SMTPException`.
    """
    server = urlsplit(settings.smtp_url)
    host, port = server.hostname or "", server.port or _PORTS[server.scheme]
    encrypted = server.scheme == "smtps"
    if encrypted:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=tls.to_mail(settings))
    else:
        connection = smtplib.SMTP(host, port, timeout=PATIENCE)
    try:
        connection.ehlo()
        if not encrypted and connection.has_extn("starttls"):
            connection.starttls(context=tls.to_mail(settings))
            encrypted = True
        if not encrypted and host not in _LOOPBACK and not settings.smtp_plain:
            raise NotNow("the server offers no encryption")
        if server.username:
            if not encrypted and host not in _LOOPBACK:
                raise NotNow("the password would travel unencrypted")
            connection.login(unquote(server.username), unquote(server.password or ""))
    except BaseException:
        connection.close()
        raise
    return connection


def _refusal(code: int) -> NotNow | Never:
    return Never(f"refused with {code}") if code >= 500 else NotNow(f"refused with {code}")

"""What `wordyard doctor` says of the servers that the environment names: do they answer, encrypted, as themselves?"""

import asyncio
import os
import smtplib
import ssl
from collections.abc import Iterable
from urllib.parse import urlsplit

import nats.errors
import psycopg

from libs.runtime import bus, tls
from libs.runtime.settings import PREFIX, BadSetting, Settings, read
from services.cli.doctor_tables import tables
from services.cli.findings import Finding
from services.solver.delivery import NotNow, connect

PATIENCE = 3.0  # seconds for each to answer
LOCAL = ("127.0.0.1", "::1", "localhost")


def findings() -> Iterable[Finding]:
    """Ask each server that a variable of the environment names, and look at the api's own certificate."""
    try:
        tls.require_usable(settings := read())
    except BadSetting as error:
        yield Finding(name="settings", state="missing", detail=str(error), mend="correct the variable or the file")
        return
    if PREFIX + "NATS_URL" in os.environ:
        yield _nats(settings)
    if PREFIX + "POSTGRES_URL" in os.environ:
        yield (found := _postgres(settings))
        if found.state != "missing":
            yield tables(settings.postgres_url)
    if settings.smtp_url:
        yield _mail(settings)


def _nats(settings: Settings) -> Finding:
    async def ask() -> None:
        await (await bus.connect(settings, "doctor", PATIENCE)).close()

    try:
        asyncio.run(ask())
    except (bus.Unreachable, bus.ServerTooOld, nats.errors.Error) as error:
        return Finding(name="NATS", state="missing", detail=str(error), mend=f"{PREFIX}NATS_URL, {PREFIX}NATS_CA")
    hosts = [urlsplit(url).hostname for url in settings.nats_url.split(",")]
    return _encrypted("NATS", settings.nats_encrypted, hosts, "tls:// in " + PREFIX + "NATS_URL")


def _postgres(settings: Settings) -> Finding:
    try:
        with psycopg.connect(settings.postgres_url, connect_timeout=int(PATIENCE)) as connection:
            used, host = connection.pgconn.ssl_in_use, connection.info.host
    except psycopg.Error as error:
        detail = str(error).splitlines()[0]
        return Finding(name="database", state="missing", detail=detail, mend=f"{PREFIX}POSTGRES_URL")
    hosts = [None if host.startswith("/") else host]
    return _encrypted("database", used, hosts, f"sslmode=verify-full in {PREFIX}POSTGRES_URL")


def _mail(settings: Settings) -> Finding:
    try:
        with connect(settings) as connection:
            encrypted = isinstance(connection.sock, ssl.SSLSocket)
    except (NotNow, OSError, smtplib.SMTPException) as error:
        return Finding(name="mail server", state="missing", detail=str(error), mend=f"{PREFIX}SMTP_URL, _SMTP_CA")
    return _encrypted("mail server", encrypted, [urlsplit(settings.smtp_url).hostname], "smtps://")


def _encrypted(name: str, encrypted: bool, hosts: list[str | None], mend: str) -> Finding:
    if encrypted:
        return Finding(name=name, state="ok", detail="answers, encrypted")
    if all(host is None or host in LOCAL for host in hosts):
        return Finding(name=name, state="ok", detail="answers, on this machine")
    return Finding(name=name, state="without", detail="answers, unencrypted", mend=mend)

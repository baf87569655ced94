"""Encryption: whom we trust at NATS and the mail server, and how we show who we are.

PostgreSQL's client has its own, in its address.
"""

import ssl

from libs.runtime.settings import BadSetting, Settings


def to_nats(settings: Settings) -> ssl.SSLContext | None:
    """What a connection to NATS is encrypted with; none if its addresses do not ask for it. Raises `BadSetting`."""
    if not settings.nats_encrypted:
        return None
    context = _trusting("WORDYARD_NATS_CA", settings.nats_ca)
    if settings.nats_cert:
        _show(context, "NATS", settings.nats_cert, settings.nats_key)
    return context


def to_mail(settings: Settings) -> ssl.SSLContext:
    """What mail is handed over with. Raises `BadSetting`."""
    return _trusting("WORDYARD_SMTP_CA", settings.smtp_ca)


def to_players(settings: Settings) -> ssl.SSLContext | None:
    """What the api serves with; none if it speaks plain HTTP. Raises `BadSetting`."""
    if not settings.tls_cert:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _show(context, "TLS", settings.tls_cert, settings.tls_key)
    return context


def require_usable(settings: Settings) -> None:
    """Check every file of certificates and keys that the settings name. Raises `BadSetting`."""
    to_nats(settings)
    to_mail(settings)
    to_players(settings)


def _trusting(name: str, file: str) -> ssl.SSLContext:
    """A client's context: TLS 1.2 or newer, the server's name checked; the file's authorities, or the machine's."""
    try:
        context = ssl.create_default_context(cafile=file or None)
    except OSError as error:
        raise BadSetting(f"{name}: {_why(error)}") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _show(context: ssl.SSLContext, part: str, cert: str, key: str) -> None:
    try:
        context.load_cert_chain(cert, key, password=_refuse)
    except (OSError, _Locked) as error:
        raise BadSetting(f"WORDYARD_{part}_CERT, WORDYARD_{part}_KEY: {_why(error)}") from None


class _Locked(Exception):
    """The key is kept under a password, which nobody is here to type."""


def _refuse() -> str:
    raise _Locked


def _why(error: Exception) -> str:
    """What is wrong with a file of certificates or keys; holds nothing of it."""
    match error:
        case _Locked():
            return "the key needs a password"
        case ssl.SSLError():
            return "the key is of another certificate" if error.reason == "KEY_VALUES_MISMATCH" else "not a PEM file"
        case OSError() if error.strerror:
            return error.strerror
        case _:
            return type(error).__name__

"""Every setting, read once from the environment: `WORDYARD_` and the field's name in capitals."""

import os
from collections.abc import Mapping
from datetime import timedelta
from typing import Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

PREFIX = "WORDYARD_"
SHORTEST_DAILY_KEY = 32
LONGEST_DRAIN = 300


class BadSetting(ValueError):
    """A variable holds what its setting cannot be; says which and why."""


class Settings(Struct, frozen=True, kw_only=True):
    """What one service must know of its surroundings. Defaults suit a single machine."""

    # where things are
    nats_url: str = "nats://127.0.0.1:4222"
    nats_user: str = ""
    nats_password: str = ""
    nats_ca: str = ""  # file of the authorities that are trusted at tls:// addresses; empty: this machine's
    nats_cert: str = ""  # file of a certificate that shows who we are, where NATS wants one
    nats_key: str = ""  # file of its key
    postgres_url: str = "postgresql://127.0.0.1:5432/wordyard"  # encrypted with ?sslmode=verify-full&sslrootcert=FILE
    smtp_url: str = ""  # smtp://user:password@host:port or smtps://; empty: mail stays in the outbox page
    smtp_ca: str = ""  # file of the authorities that are trusted there; empty: this machine's
    smtp_plain: bool = False  # mail may leave this machine unencrypted
    mail_from: str = "Wordyard <hello@wordyard.example>"

    # the api
    host: str = "127.0.0.1"
    port: int = 8080
    public_url: str = ""  # what links in mails begin with; empty: http://host:port
    secret_key: str = ""  # signs cookies, tokens and invite links, seals Practice; at least 32 characters
    tls_cert: str = ""  # file of the api's own certificate, where no proxy speaks TLS for it; empty: plain HTTP
    tls_key: str = ""  # file of its key
    secure_cookies: bool = False  # true behind a proxy that speaks TLS
    trusted_proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For is believed
    drain_seconds: float = 0.0  # before it ends: no new requests come, and sockets close one after another
    rate_limit: bool = True
    player_rate: str = "20/second;300/minute"  # of one player, in the words of the limits library
    address_rate: str = "60/second;1200/minute"  # of one network address
    solver_rate: str = "100/second;3000/minute"  # of one network address, for the solver alone
    outbox: bool = False  # show the outbox page: for embedded use, where no mail leaves

    # notices in browsers, for api and worker
    push_key: str = ""  # a private key of VAPID in base64url; empty: none
    push_inside: tuple[str, ...] = ()  # origins of push services within our own network; refused unless embedded

    # moderation
    operators: tuple[str, ...] = ()  # accounts that use the desk, by id or e-mail address; none: there is no desk

    # signing in through an OpenID Connect provider
    oidc_issuer: str = ""  # its issuer, by the letter; empty: no provider, only links by mail
    oidc_client_id: str = ""
    oidc_client_secret: str = ""  # empty: a public client, proven by PKCE alone
    oidc_name: str = "GameShack"  # the page says: Sign in with GameShack

    # the log
    log_replicas: int = 1
    create_streams: bool = True
    archive_after: int = 7  # days after its end when a game leaves the stream for the archive; 0: never

    # the solver
    solver_folder: str = ""  # where the matrix and the compiled kernel are; empty: share/wordyard of the environment
    solver_queue: int = 64  # boards that one solver works on or lets wait; whoever comes then is sent on

    # the Daily
    daily_key: str = ""  # the order of its words hangs on it; at least 32 characters, for the game service alone

    # operations
    ops_host: str = "127.0.0.1"
    ops_port: int = 0  # health and metrics of the services that are not the api; 0: any free port
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    otlp_endpoint: str = ""  # where traces go; empty: nowhere
    trace_share: float = 0.01  # of requests that are traced, 0 to 1
    embedded: bool = False  # set by `wordyard up` alone
    clock_offset: float = 0.0  # seconds added to the clock; refused unless embedded

    def __post_init__(self) -> None:
        if self.clock_offset and not self.embedded:
            raise BadSetting("WORDYARD_CLOCK_OFFSET: the clock can be shifted in `wordyard up` alone")
        if self.push_inside and not self.embedded:
            raise BadSetting("WORDYARD_PUSH_INSIDE: nothing within our own network is sent to but in `wordyard up`")
        _require_whole(self)
        if self.archive_after < 0:
            raise BadSetting("WORDYARD_ARCHIVE_AFTER: days, or 0 for never")
        if self.solver_queue < 1:
            raise BadSetting("WORDYARD_SOLVER_QUEUE: at least 1")
        if self.oidc_issuer and not self.oidc_client_id:
            raise BadSetting("WORDYARD_OIDC_CLIENT_ID: the provider's name for us is needed with WORDYARD_OIDC_ISSUER")
        if self.oidc_issuer and not _is_safe(self.oidc_issuer):
            raise BadSetting("WORDYARD_OIDC_ISSUER: an https address (or http on this machine)")
        if not 0 <= self.drain_seconds <= LONGEST_DRAIN:
            raise BadSetting(f"WORDYARD_DRAIN_SECONDS: from 0 to {LONGEST_DRAIN}")
        if not 0 <= self.trace_share <= 1:
            raise BadSetting("WORDYARD_TRACE_SHARE: a share from 0 to 1")

    @property
    def address(self) -> str:
        """What players type: the public URL without a slash at its end."""
        scheme = "https" if self.tls_cert else "http"
        return (self.public_url or f"{scheme}://{self.host}:{self.port}").rstrip("/")

    @property
    def secure(self) -> bool:
        """Does everything that players send come encrypted?"""
        return self.secure_cookies or bool(self.tls_cert)

    @property
    def nats_encrypted(self) -> bool:
        """Is NATS spoken to encrypted, or not at all?"""
        return self.nats_url.startswith("tls://")

    @property
    def key_of_daily(self) -> bytes:
        """The key of the order of the Daily's words. Raises `BadSetting` for one that is too short."""
        if len(self.daily_key) < SHORTEST_DAILY_KEY:
            raise BadSetting(f"WORDYARD_DAILY_KEY: {SHORTEST_DAILY_KEY} characters or more are needed")
        return self.daily_key.encode()

    @property
    def offset(self) -> timedelta:
        """How far the service's clock runs ahead of the machine's."""
        return timedelta(seconds=self.clock_offset)


def _require_whole(settings: Settings) -> None:
    """Refuse half of an encryption, which would look like all of it. Raises `BadSetting`."""
    addresses = settings.nats_url.split(",")
    if any(address.startswith("tls://") != settings.nats_encrypted for address in addresses):
        raise BadSetting("WORDYARD_NATS_URL: either all addresses begin with tls:// or none")
    if (settings.nats_ca or settings.nats_cert) and not settings.nats_encrypted:
        raise BadSetting("WORDYARD_NATS_CA, WORDYARD_NATS_CERT: of use only where WORDYARD_NATS_URL begins with tls://")
    if bool(settings.nats_cert) != bool(settings.nats_key):
        raise BadSetting("WORDYARD_NATS_CERT, WORDYARD_NATS_KEY: each needs the other")
    if bool(settings.tls_cert) != bool(settings.tls_key):
        raise BadSetting("WORDYARD_TLS_CERT, WORDYARD_TLS_KEY: each needs the other")
    if settings.tls_cert and settings.embedded:
        raise BadSetting("WORDYARD_TLS_CERT: `wordyard up` speaks plain HTTP, on this machine; put a proxy before it")
    if settings.smtp_url and not settings.smtp_url.startswith(("smtp://", "smtps://")):
        raise BadSetting("WORDYARD_SMTP_URL: begins with smtp:// or smtps://")


def _is_safe(issuer: str) -> bool:
    """Can nobody on the way change what is said at this address?"""
    try:
        parts = urlsplit(issuer)
        local = parts.hostname in ("127.0.0.1", "::1", "localhost")
    except ValueError:
        return False
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and local))


def read(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in these variables. Lists are separated by commas. Raises `BadSetting`."""
    found: dict[str, object] = {}
    for field in msgspec.structs.fields(Settings):
        text = environment.get(PREFIX + field.name.upper())
        if text is None:
            continue
        if any("\ud800" <= letter <= "\udfff" for letter in text):  # what the system could not read as UTF-8
            raise BadSetting(f"{PREFIX}{field.name.upper()}: is not UTF-8")
        found[field.name] = tuple(filter(None, text.split(","))) if field.type == tuple[str, ...] else text
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise BadSetting(f"a {PREFIX}* variable is wrong: {error}") from None


def environment(settings: Settings) -> dict[str, str]:
    """The variables that `read` turns into these settings again."""
    return {
        PREFIX + field.name.upper(): ",".join(value)
        if isinstance(value, tuple)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
        for field in msgspec.structs.fields(Settings)
        if (value := getattr(settings, field.name)) != field.default
    }

"""One message to a browser, handed to its push service: only it can read it (RFC 8291), signed as ours (RFC 8292)."""

import time
from email.utils import parseaddr
from hashlib import sha256
from urllib.parse import SplitResult

import http_ece
import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwt
from joserfc.jwk import ECKey
from msgspec import Struct

from libs.runtime import endpoints
from libs.runtime.push_keys import base64url, from_base64url, private_key, public_text
from libs.runtime.settings import Settings
from libs.runtime.web import authorities

PATIENCE = httpx.Timeout(10.0)  # seconds for each step
VALID = 12 * 3600  # seconds that a signature holds; push services take a day at most
LONGEST_PAUSE = 3600.0  # seconds that a push service can make us wait

_GONE = {404, 410}
_LATER = {408, 425, 429}


class Push(Struct, frozen=True, kw_only=True):
    """What is sent to which browser."""

    endpoint: str
    p256dh: str
    auth: str
    body: str
    topic: str


class Gone(Exception):
    """The browser does not want any more."""


class Never(Exception):
    """This message will be refused however often it is sent. Says why, and not where."""


class NotNow(Exception):
    """The service could not be reached or asks to come back later, perhaps after so many seconds."""

    def __init__(self, why: str, pause: float | None = None) -> None:
        super().__init__(why)
        self.pause = pause


class PushService:
    """Sends with our key. Raises `BadSetting` if that is none."""

    def __init__(self, settings: Settings) -> None:
        key = private_key(settings.push_key)
        numbers = key.private_numbers()
        public = numbers.public_numbers
        self._public = public_text(key)
        self._signer = ECKey.import_key(
            {
                "kty": "EC",
                "crv": "P-256",
                "x": base64url(public.x.to_bytes(32)),
                "y": base64url(public.y.to_bytes(32)),
                "d": base64url(numbers.private_value.to_bytes(32)),
            }
        )
        self._contact = f"mailto:{parseaddr(settings.mail_from)[1]}"
        self._inside = settings.push_inside

    def send(self, push: Push, seconds: int) -> None:
        """Hand it over, to be kept so many seconds while the browser is away. Raises `Gone`, `NotNow` or `Never`."""
        try:
            parts = endpoints.parsed(push.endpoint, self._inside)
            request = self._request(parts, push, seconds)
            with httpx.Client(
                trust_env=False, verify=authorities(), timeout=PATIENCE, follow_redirects=False
            ) as client:
                answer = client.send(request, stream=True)  # what else it says is of no use, however long it is
                answer.close()
        except (ValueError, httpx.InvalidURL) as error:  # an address within, or keys that are none
            raise Never(type(error).__name__) from None
        except (httpx.HTTPError, OSError) as error:
            raise NotNow(type(error).__name__) from None
        if answer.status_code in _GONE:
            raise Gone
        if answer.status_code in _LATER or answer.status_code >= 500:
            raise NotNow(f"refused with {answer.status_code}", _pause(answer.headers.get("retry-after", "")))
        if not answer.is_success:
            raise Never(f"refused with {answer.status_code}")

    def _request(self, parts: SplitResult, push: Push, seconds: int) -> httpx.Request:
        """The request, to the very address that was found to be public: a second look-up might find another."""
        url, extensions = httpx.URL(push.endpoint), {}
        if endpoints.origin(parts) not in self._inside:
            extensions = {"sni_hostname": url.host}
            url = url.copy_with(host=endpoints.address_of(url.host))
        headers = {
            "Host": parts.netloc,
            "Authorization": f"vapid t={self._signature(endpoints.origin(parts))}, k={self._public}",
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(seconds),
            "Topic": base64url(sha256(push.topic.encode()).digest())[:32],
            "Urgency": "normal",
        }
        return httpx.Request("POST", url, headers=headers, content=_sealed(push), extensions=extensions)

    def _signature(self, audience: str) -> str:
        claims = {"aud": audience, "exp": int(time.time()) + VALID, "sub": self._contact}
        return jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, self._signer, algorithms=["ES256"])


def _sealed(push: Push) -> bytes:
    """The body, readable by the browser alone. Raises `ValueError` for keys that are none."""
    sealed: bytes = http_ece.encrypt(
        push.body.encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=from_base64url(push.p256dh),
        auth_secret=from_base64url(push.auth),
        version="aes128gcm",
    )
    return sealed


def _pause(text: str) -> float | None:
    return min(float(text), LONGEST_PAUSE) if text.isdigit() else None

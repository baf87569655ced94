"""A real push service: it takes messages as browsers' makers do, and its browser reads them with its own keys."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

PUSH_KEY = "a1" * 21 + "A"


def text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


class Browser:
    """One subscription, with the browser's private half."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    @property
    def p256dh(self) -> str:
        return text(self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def auth(self) -> str:
        return text(self._auth)

    def json(self) -> dict[str, Any]:
        """What `PushSubscription.toJSON()` gives."""
        keys = {"p256dh": self.p256dh, "auth": self.auth}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> Any:
        """What a message says. Raises `http_ece.ECEException` for one that is not for this browser."""
        opened = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return msgspec.json.decode(opened)


class PushEndpoint:
    """What came, and what the next ones are answered: a status each."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.browsers: dict[str, Browser] = {}
        self.taken: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.claims: list[dict[str, Any]] = []
        self.refusals: list[int] = []
        self.gone: set[str] = set()

    def browser(self) -> Browser:
        """A new one that lets itself be sent to."""
        made = Browser(f"{self.origin}/push/{len(self.browsers)}")
        self.browsers[made.endpoint] = made
        return made

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Check who sends, and keep what it says; answers with the status."""
        if self.refusals:
            return self.refusals.pop(0)
        endpoint = self.origin + path
        if endpoint in self.gone:
            return 410
        token, key = (part.strip().split("=", 1)[1] for part in headers["authorization"][len("vapid ") :].split(","))
        point = urlsafe_b64decode(key + "==")
        jwk = ECKey.import_key({"kty": "EC", "crv": "P-256", "x": text(point[1:33]), "y": text(point[33:])})
        self.claims.append(dict(jwt.decode(token, jwk, algorithms=["ES256"]).claims, key=key))
        self.headers.append(headers)
        self.taken.append(self.browsers[endpoint].read(body))
        return 201


@contextmanager
def push_endpoint() -> Iterator[PushEndpoint]:
    """One on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(endpoint.take(self.path, headers, body))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint = PushEndpoint(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""The gate: what every request passes before it is routed, and every answer on its way out.

In: who asks (cookie or token), the request key, rate limits, and whether the request comes from our own pages.
Out: common headers, one log line, one measurement. Routes are named by their templates, for paths hold secrets.
"""

import re
import time
from functools import lru_cache
from typing import Any

import structlog
from litestar.utils.path import normalize_path
from structlog.contextvars import bind_contextvars

from libs.runtime import ids, telemetry
from libs.runtime.metrics import REQUESTS
from services.api import headers as common
from services.api.accounts.scopes import SCOPES, needed
from services.api.accounts.sessions import COOKIE, LIFETIME, REFRESHED, TOKEN_LIFETIME
from services.api.edge import answer, told
from services.api.origins import is_ours, is_same_origin
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Message, Receive, Scope, Send
from services.api.shortcut import shortcut
from services.api.visits import Visit

log = structlog.get_logger()

API = "/api/"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
SOLVER = frozenset({"/api/v1/solver", "/api/v1/solver/review"})
"""Asked with every key that is pressed, so counted apart; nobody looks who asks."""

FREE = SOLVER | {"/api/v1/session/guest", "/api/v1/practice", "/api/v1/practice/guesses"}
"""Unsafe, but harmless from any page: nothing changes but who one is, and strangers cannot read the answer."""

_KEY = re.compile(rb"[\x20-\x7e]{1,128}")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_COOKIE = re.compile(rb"(?:^|;)\s*" + COOKIE.encode() + rb"=([^;\s]+)")


class Gate:
    """An ASGI application around the one that has the routes."""

    def __init__(self, app: Any, parts: Parts) -> None:
        self._app = app
        self._parts = parts
        self._fixed = common.fixed(parts.settings)
        self._date = common.date(parts.now)

    async def drain(self) -> None:
        """Let the proxy send what comes to other copies, and close sockets, for as long as the settings say."""
        await self._parts.feeds.drain(self._parts.settings.drain_seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        scope["path"] = normalize_path(scope["path"])  # what the router does: it must not see another path than we do
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"")
        request_id = given.decode() if _REQUEST_ID.fullmatch(given) else ids.new_id()
        visit = Visit(request_id, self._parts.now(), headers)
        scope.setdefault("state", {})["visit"] = visit
        bind_contextvars(request=request_id)
        out = _Out(self, scope, visit, send)
        try:
            with telemetry.root(_method(scope)) as span:
                await self._pass(scope, visit, receive, out.send)
                span.update_name(f"{_method(scope)} {scope.get('path_template') or '-'}")
                span.set_attribute("http.response.status_code", out.status)
        except Exception:
            log.exception("answer broken off")
        finally:
            _note(scope, visit, out.status, time.perf_counter() - start)

    async def _pass(self, scope: Scope, visit: Visit, receive: Receive, send: Send) -> None:
        try:
            if scope["path"].startswith(API):
                self._admit(scope, visit)
            if (short := shortcut(scope)) is not None:
                scope["path_template"] = short.route
                await (await short.answer(self._parts, visit, receive))(scope, receive, send)
                return
        except Exception as error:
            reply = answer(error, visit, scope)
            await (reply(scope, receive, send) if scope["type"] == "http" else reply.deny(send))
            return
        if _method(scope) == "HEAD":  # a GET whose answer loses its body on its way out
            inner = dict(scope, method="GET")
            await self._app(inner, receive, send)
            scope["path_template"] = inner.get("path_template", "-")
        else:
            await self._app(scope, receive, send)

    def _admit(self, scope: Scope, visit: Visit) -> None:
        """Fill in the visit. Raises `Problem`."""
        if "\0" in scope["path"]:
            raise Problem("not_found")  # no id has one, and PostgreSQL takes none
        headers, parts = visit.headers, self._parts
        peer = scope["client"][0] if scope["client"] else ""
        visit.address = parts.limits.address(peer, headers.get(b"x-forwarded-for", b"").decode("latin-1"))
        bearer = headers.get(b"authorization")
        if scope["path"] in SOLVER:
            parts.limits.board(visit.address)
        else:
            self._read_session(scope, visit, bearer)
        self._read_key(visit, headers.get(b"idempotency-key"))
        if scope["type"] == "websocket":
            if visit.by_cookie and not is_ours(headers, parts.settings.address):
                raise Problem("csrf")
        elif scope["method"] not in SAFE and bearer is None:
            self._require_own_page(scope["path"], visit)

    def _read_session(self, scope: Scope, visit: Visit, bearer: bytes | None) -> None:
        parts = self._parts
        if bearer is not None:
            self._read_token(visit, bearer)
        else:
            self._read_cookie(visit, visit.headers.get(b"cookie", b""))
        parts.limits.request(visit.address, visit.session.player if visit.session else None)
        if bearer is not None and visit.session is None:
            raise Problem("unauthorized")
        if visit.session is not None:
            if not parts.ended.known and scope["path"] not in FREE:
                raise Problem("starting", retry_after=2)
            if visit.session.scopes != SCOPES and scope["path"] not in FREE:
                visit.require(needed(_method(scope), scope["path"]))
            parts.seen.note(visit.session.id, visit.received)

    def _read_token(self, visit: Visit, header: bytes) -> None:
        scheme, _, token = header.decode("latin-1").partition(" ")
        session = self._parts.signer.read_token(token.strip()) if scheme.lower() == "bearer" else None
        if session is None or session.id in self._parts.ended:
            return
        if visit.received - session.issued > (LIFETIME if session.guest else TOKEN_LIFETIME):
            return  # we remember for no longer what has ended
        visit.session = session

    def _read_cookie(self, visit: Visit, header: bytes) -> None:
        found = _COOKIE.search(header) if header else None
        session = self._parts.signer.read_cookie(found[1].decode("latin-1")) if found else None
        if session is None or session.id in self._parts.ended or visit.received - session.issued > LIFETIME:
            return
        visit.session, visit.by_cookie = session, True
        if visit.received - session.issued > REFRESHED:
            visit.cookie = self._parts.signer.renewed(session, visit.received)

    def _read_key(self, visit: Visit, key: bytes | None) -> None:
        if key is None:
            visit.key = ids.new_id()
        elif _KEY.fullmatch(key):
            visit.key = key.decode()
        else:
            raise Problem("bad_key")

    def _require_own_page(self, path: str, visit: Visit) -> None:
        if not is_same_origin(visit.headers, self._parts.settings.address):
            raise Problem("csrf")
        if visit.session is None or path in FREE:
            return
        given = visit.headers.get(b"x-csrf-token", b"").decode("latin-1")
        if not self._parts.signer.is_csrf(visit.session.id, given):
            raise Problem("csrf")

    def common_headers(self, visit: Visit) -> list[tuple[bytes, bytes]]:
        """What every answer has."""
        return [self._date(), (b"x-request-id", visit.id.encode()), *self._fixed]


class _Out:
    """The way out of one answer."""

    def __init__(self, gate: Gate, scope: Scope, visit: Visit, send: Send) -> None:
        self.status = 0
        self._gate = gate
        self._visit = visit
        self._send = send
        self._socket = scope["type"] == "websocket"
        self._method = _method(scope)
        self._private = scope["path"].startswith(API)
        self._accepted = False

    async def send(self, message: Message) -> None:
        """Pass a message on with what belongs to it."""
        kind: str = message["type"]
        if kind == "http.response.start":
            self._start(message)
        elif kind == "http.response.body":
            if self._method == "HEAD":
                message = {"type": "http.response.body", "body": b"", "more_body": False}
        elif kind == "websocket.accept":
            self._accepted, self.status = True, 101
            message["headers"] = [*message.get("headers", []), (b"x-request-id", self._visit.id.encode())]
        elif kind == "websocket.http.response.start":
            self._start(message)
        elif kind == "websocket.close" and not self._accepted and self.status == 0:
            await told(Problem("not_found")).deny(self.send)  # no route, for instance
            return
        await self._send(message)

    def _start(self, message: Any) -> None:
        self.status = message["status"]
        headers = [*message["headers"], *self._gate.common_headers(self._visit)]
        if self._private:
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            if self._method == "POST":
                headers.append((b"idempotency-key", self._visit.key.encode()))
            if self._visit.cookie is not None:
                headers.append((b"set-cookie", self._visit.cookie.encode()))
        message["headers"] = headers


def _method(scope: Scope) -> str:
    method: str = scope["method"] if scope["type"] == "http" else "WS"
    return method


_seconds = lru_cache(1024)(REQUESTS.labels)
"""Looking up a counter by its labels costs more than counting."""


def _note(scope: Scope, visit: Visit, status: int, seconds: float) -> None:
    method, route = _method(scope), scope.get("path_template") or "-"
    if method != "WS":
        _seconds(method, route, status).observe(seconds)
    log.info(
        "request",
        method=method,
        route=route,
        status=status,
        ms=round(seconds * 1000, 1),
        player=visit.session.player if visit.session else None,
    )

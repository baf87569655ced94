"""Signing in at an OpenID Connect provider: there with a POST, back with the browser that was sent there.

What the way back needs (state, nonce, the verifier of PKCE, where to go on) travels in a sealed cookie, so that only
the browser that began can come back, and only once.
"""

import re
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import urlencode

import msgspec
from litestar import get
from msgspec import Struct
from psycopg import errors

from libs.runtime import ids
from services.api.accounts.joining import join
from services.api.accounts.proven import Proven
from services.api.accounts.sign_in import Done, begun, retried, told
from services.api.doc import answers, post, problems
from services.api.edge import understood
from services.api.limits import CONFIRMATIONS_OF_ADDRESS
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request, Visit

LIFETIME = timedelta(minutes=10)
COOKIE = "wordyard_sign_in"
PATH = "/api/v1/sign-in/oidc"
SEALED_FOR = "sign-in"
LONGEST_PATH = 1024

_COOKIE = re.compile(rb"(?:^|;)\s*" + COOKIE.encode() + rb"=([^;\s]+)")
_OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")  # another host could stand behind // or a backslash
_USE = "insert into returns (state, at) values (%s, %s)"


class Ways(Struct, kw_only=True):
    """How one can sign in here besides by mail: the name of the provider, if there is one."""

    provider: str | None


class Start(Struct, forbid_unknown_fields=True, kw_only=True):
    """Where to go on after signing in: a path of ours."""

    return_to: str = "/"


class There(Struct, kw_only=True):
    """Where the browser must go now."""

    url: str


class _Begun(Struct, frozen=True, kw_only=True):
    state: str
    nonce: str
    verifier: str
    return_to: str
    at: datetime


_decoder = msgspec.json.Decoder(_Begun)


@get("/sign-in", summary="How can one sign in?", responses=answers(Ways) | problems())
async def ways(request: Request) -> Reply:
    """A link by mail always; through a provider if one is set."""
    return reply(Ways(provider=request.parts.provider.name))


@post(
    "/sign-in/oidc",
    summary="Sign in at the provider",
    status_code=200,
    responses=answers(There) | problems("not_found", "provider_down", "csrf"),
)
async def start(request: Request, data: Start) -> Reply:
    """Begin: the answer sets a cookie for the way back, and names the provider's page."""
    parts, visit = request.parts, request.visit
    _require_provider(parts)
    if not is_own_path(data.return_to):
        raise Problem("malformed", detail="A path of this service.", where="$.return_to")
    parts.limits.special(CONFIRMATIONS_OF_ADDRESS, visit.address)
    state, nonce, verifier = ids.token(), ids.token(), ids.token()
    url = await parts.provider.begin(state, nonce, verifier)
    begun_now = _Begun(state=state, nonce=nonce, verifier=verifier, return_to=data.return_to, at=parts.now())
    sealed = parts.signer.seal(SEALED_FOR, msgspec.json.encode(begun_now))
    age = int(LIFETIME.total_seconds())
    return reply(There(url=url)).add("set-cookie", parts.signer.set_cookie(COOKIE, sealed, age, PATH))


@get(
    "/sign-in/oidc/callback",
    summary="Come back from the provider",
    status_code=303,
    responses={303: answers(None, 303, "Signed in, or a page that says why not")[303]} | problems("not_found"),
)
async def come_back(request: Request) -> Reply:
    """Sign in and go on; a refusal goes to /sign-in?problem=… with its code."""
    parts, visit = request.parts, request.visit
    _require_provider(parts)
    try:
        parts.limits.special(CONFIRMATIONS_OF_ADDRESS, visit.address)
        to = await _finish(request)
    except Exception as error:
        to = f"/sign-in?{urlencode({'problem': understood(error).code})}"
    answer = Reply(status=303).add("location", to)
    return answer.add("set-cookie", parts.signer.set_cookie(COOKIE, "", 0, PATH))


def is_own_path(text: str) -> bool:
    """Does this lead to a page of ours, whatever a browser makes of it?"""
    return len(text) <= LONGEST_PATH and _OWN_PATH.fullmatch(text) is not None


def _require_provider(parts: Parts) -> None:
    if parts.provider.name is None:
        raise Problem("not_found")


async def _finish(request: Request) -> str:
    """Where to go on. Raises `Problem`."""
    parts, visit, query = request.parts, request.visit, request.query_params
    before = _begun(parts, visit)
    if before is None or not compare_digest(before.state.encode(), query.get("state", "").encode()):
        raise Problem("sign_in_failed")
    if "error" in query:
        raise Problem("sign_in_cancelled" if query["error"] == "access_denied" else "sign_in_failed")
    proven = await parts.provider.finish(query.get("code", ""), before.nonce, before.verifier, query.get("iss"))
    done = await retried(lambda: _take(parts, visit, before, proven))
    await told(parts, visit, done)
    return "/account" if done.new and before.return_to == "/" else before.return_to


def _begun(parts: Parts, visit: Visit) -> _Begun | None:
    """What this browser began a short while ago."""
    found = _COOKIE.search(visit.headers.get(b"cookie", b""))
    content = parts.signer.unseal(SEALED_FOR, found[1].decode("latin-1")) if found else None
    if content is None:
        return None
    before = _decoder.decode(content)
    return before if parts.now() < before.at + LIFETIME else None


async def _take(parts: Parts, visit: Visit, before: _Begun, proven: Proven) -> Done:
    """Sign in with what was proven, once for each way back. Raises `Problem` (sign_in_used)."""
    now = parts.now()
    async with parts.database.transaction() as connection:
        try:
            async with connection.transaction():
                await connection.execute(_USE, (sha256(before.state.encode()).digest(), now))
        except errors.UniqueViolation:
            raise Problem("sign_in_used") from None
        return await begun(connection, visit, await join(connection, visit, proven, now), now)

"""The OpenID Connect provider of the settings: where it is asked, and whether what it says is true."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx
import structlog
from joserfc.errors import JoseError
from joserfc.jwt import ClaimsOption, JWTClaimsRegistry

from libs.runtime.clock import Clock
from libs.runtime.settings import Settings
from services.api.accounts.emails import address
from services.api.accounts.proven import Identity, Proven
from services.api.accounts.provider_keys import Keys
from services.api.problems import Problem

log = structlog.get_logger()

PATIENCE = 5.0  # seconds for one answer of the provider
FRESH = 3600.0  # seconds for which what it says of itself is believed
LEEWAY = 60  # seconds by which its clock may differ from ours
LONGEST_SUBJECT = 255
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures that only the provider can make: not `none`, and not those with a shared secret."""

CALLBACK = "/api/v1/sign-in/oidc/callback"


class Provider:
    """Asked only while somebody signs in; nothing of it is needed at the start."""

    def __init__(self, settings: Settings, now: Clock) -> None:
        self.name = settings.oidc_name if settings.oidc_issuer else None  # none: there is no provider
        self.issuer = settings.oidc_issuer
        self._client = settings.oidc_client_id
        self._secret = settings.oidc_client_secret
        self._callback = settings.address + CALLBACK
        self._now = now
        self._said: dict[str, Any] = {}
        self._until = 0.0
        self._keys = Keys(self._fetch)
        self._http: httpx.AsyncClient | None = None

    async def close(self) -> None:
        """Hang up."""
        if self._http is not None:
            await self._http.aclose()

    async def begin(self, state: str, nonce: str, verifier: str) -> str:
        """The address at which a browser signs in. Raises `Problem` (provider_down)."""
        said = await self._discovered()
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": self._callback,
            "scope": "openid email",
            "state": state,
            "nonce": nonce,
            "code_challenge": urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        there: str = said["authorization_endpoint"]
        return f"{there}{'&' if urlsplit(there).query else '?'}{urlencode(asked)}"

    async def finish(self, code: str, nonce: str, verifier: str, issuer: str | None) -> Proven:
        """Who has come back with this code. Raises `Problem` (provider_down, sign_in_failed)."""
        said = await self._discovered()
        if issuer != self.issuer and (issuer or said.get("authorization_response_iss_parameter_supported") is True):
            raise _failed("another issuer has answered")
        token = await self._exchange(said, code, verifier)
        claims = await self._checked(said, token.get("id_token"), nonce)
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or "\0" in subject:
            raise _failed("no subject")
        if "email" not in claims and "userinfo_endpoint" in said and isinstance(token.get("access_token"), str):
            claims = await self._told(said, token["access_token"], subject)
        return Proven(identity=Identity(self.issuer, subject), email=_email(claims))

    async def _discovered(self) -> dict[str, Any]:
        """What the provider says of itself, an hour old at most; older if it does not answer."""
        if self._now().timestamp() < self._until:
            return self._said
        try:
            said = await self._fetch(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
            if said.get("issuer") != self.issuer:
                log.error("provider calls itself otherwise than WORDYARD_OIDC_ISSUER", says=said.get("issuer"))
                raise _down("another issuer")
            wanted = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            if not all(self._is_as_safe(said.get(name)) for name in wanted):
                raise _down("an endpoint is missing or not safe")
        except Problem:
            if self._said:
                return self._said
            raise
        self._said, self._until = said, self._now().timestamp() + FRESH
        return said

    def _is_as_safe(self, url: object) -> bool:
        return isinstance(url, str) and url.startswith(("https://", f"{urlsplit(self.issuer).scheme}://"))

    async def _exchange(self, said: Mapping[str, Any], code: str, verifier: str) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._callback,
            "code_verifier": verifier,
        }
        methods = said.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        auth = None
        if self._secret and "client_secret_basic" in methods:
            auth = httpx.BasicAuth(quote(self._client, safe=""), quote(self._secret, safe=""))
        else:
            form |= {"client_id": self._client} | ({"client_secret": self._secret} if self._secret else {})
        return await self._asked("POST", said["token_endpoint"], data=form, auth=auth)

    async def _checked(self, said: Mapping[str, Any], token: object, nonce: str) -> dict[str, Any]:
        """The claims of an ID token that was made by the provider, for us, now, and for this sign-in."""
        registry = JWTClaimsRegistry(
            now=lambda: int(self._now().timestamp()),
            leeway=LEEWAY,
            iss=ClaimsOption(essential=True, value=self.issuer),
            aud=ClaimsOption(essential=True, value=self._client),
            sub=ClaimsOption(essential=True),
            exp=ClaimsOption(essential=True),
            iat=ClaimsOption(essential=True),
            nonce=ClaimsOption(essential=True, value=nonce),
        )
        try:
            if not isinstance(token, str):
                raise _failed("no ID token")
            claims = (await self._keys.read(said["jwks_uri"], token, ALGORITHMS)).claims
            registry.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise _failed(type(error).__name__) from error
        many = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", None if many else self._client) != self._client:
            raise _failed("made for somebody else")
        return claims

    async def _told(self, said: Mapping[str, Any], token: str, subject: str) -> dict[str, Any]:
        claims = await self._asked("GET", said["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
        if claims.get("sub") != subject:
            raise _failed("told of somebody else")
        return claims

    async def _fetch(self, url: str) -> dict[str, Any]:
        return await self._asked("GET", url)

    async def _asked(self, method: str, url: str, **more: Any) -> dict[str, Any]:
        """A JSON object. Raises `Problem`: sign_in_failed if we are refused, provider_down for everything else."""
        try:
            if self._http is None:
                self._http = httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False)
            answer = await self._http.request(method, url, **more)
            found = answer.json() if answer.is_success else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise _down(type(error).__name__) from error
        if answer.is_client_error and answer.status_code != 429:
            raise _failed(f"refused with {answer.status_code}")
        if not isinstance(found, dict):
            raise _down(f"answered with {answer.status_code}")
        return found


def _email(claims: Mapping[str, Any]) -> str | None:
    """The address that the provider has verified, if it is one that we can use."""
    if claims.get("email_verified") is not True or not isinstance(claims.get("email"), str):
        return None
    try:
        return address(claims["email"])
    except Problem:
        return None


def _down(why: str) -> Problem:
    log.warning("provider does not answer", why=why)
    return Problem("provider_down", retry_after=5)


def _failed(why: str) -> Problem:
    log.warning("sign-in at the provider failed", why=why)
    return Problem("sign_in_failed")

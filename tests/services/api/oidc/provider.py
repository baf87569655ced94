"""python -m tests.services.api.oidc.provider PORT: a provider of Authlib's parts, which can be told to lie.

It is a whole one: discovery, codes of one use, PKCE required, keys that rotate. Who signs in is whoever the browser's
address names (`sub`, `email`, `verified`); POST /told sets what the next ID tokens have wrong.
"""

import sys
import time
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import OpenIDCode as BaseOpenIDCode
from authlib.oidc.core import UserInfo
from flask import Flask, Response, jsonify, redirect, request
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT, SECRET = "wordyard", "a secret of two: 50%"

app = Flask(__name__)
keys: list[RSAKey] = []
codes: dict[str, "Code"] = {}
tokens: dict[str, dict[str, Any]] = {}
told: dict[str, Any] = {}
asked = {"keys": 0}


class Client(ClientMixin):
    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> str:
        return ""

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri.endswith("/api/v1/sign-in/oidc/callback")

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_basic"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


class Code(AuthorizationCodeMixin):
    def __init__(self, of: Any, user: dict[str, Any]) -> None:
        form = of.payload.data
        self.redirect_uri, self.scope, self.nonce = form["redirect_uri"], form["scope"], form.get("nonce")
        self.code_challenge, self.code_challenge_method = form["code_challenge"], form["code_challenge_method"]
        self.user = user

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str:
        return self.nonce

    def get_auth_time(self) -> int:
        return int(time.time())

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]  # noqa: RUF012 - as Authlib has it

    def save_authorization_code(self, code: str, request: Any) -> None:
        codes[code] = Code(request, request.user)

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        return codes.get(code)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        for code in [code for code, one in codes.items() if one is authorization_code]:
            del codes[code]

    def authenticate_user(self, authorization_code: Code) -> dict[str, Any]:
        return authorization_code.user


class OpenIDCode(BaseOpenIDCode):
    def exists_nonce(self, nonce: str, request: Any) -> bool:
        return any(code.nonce == nonce for code in codes.values())

    def resolve_client_private_key(self, client: Client) -> RSAKey:
        return keys[-1]

    def get_client_claims(self, client: Client) -> dict[str, Any]:
        return {"iss": issuer(), "aud": [CLIENT], "exp": int(time.time()) + 300}

    def generate_user_info(self, user: dict[str, Any], scope: str) -> UserInfo:
        return UserInfo({"sub": user["sub"]} if told.get("plain") else user)

    def process_token(self, grant: Any, response: Any) -> Any:
        token = super().process_token(grant, response)
        tokens[token["access_token"]] = grant.request.user
        token["id_token"] = lie(token["id_token"])
        return token


def lie(token: str) -> str:
    """The same ID token with what the test has asked for: other claims, another key, another algorithm."""
    claims = {**jwt.decode(token, keys[-1]).claims, **told.get("claims", {})}
    claims = {name: value for name, value in claims.items() if value is not None}
    match told.get("signed"):
        case "foreign":  # with the name of the right key
            return jwt.encode({"alg": "RS256", "kid": keys[-1].kid}, claims, RSAKey.generate_key(2048))
        case "unknown":
            return jwt.encode({"alg": "RS256", "kid": "nobody's"}, claims, keys[-1])
        case "shared":
            return jwt.encode({"alg": "HS256", "kid": keys[-1].kid}, claims, OctKey.import_key(SECRET))
        case "none":
            return jwt.encode({"alg": "none"}, claims, None, algorithms=["none"])  # type: ignore[arg-type]
        case "changed":
            head, body, signature = token.split(".")
            return f"{head}.{body[:-4]}AAAA.{signature}"
        case _:
            return jwt.encode({"alg": "RS256", "kid": keys[-1].kid}, claims, keys[-1])


def issuer() -> str:
    return request.host_url.rstrip("/")


def rotate() -> None:
    """A new key; the one before is no longer told."""
    key = RSAKey.generate_key(2048)
    key.ensure_kid()
    keys[:] = [key]


server = AuthorizationServer(app, query_client=lambda id_: Client() if id_ == CLIENT else None, save_token=lambda *_: 0)
server.register_grant(CodeGrant, [OpenIDCode(require_nonce=True), CodeChallenge(required=True)])


@app.get("/.well-known/openid-configuration")
def discovery() -> Response:
    at = issuer()
    said = {
        "issuer": at,
        "authorization_endpoint": f"{at}/authorize?tenant=1",
        "token_endpoint": f"{at}/token",
        "jwks_uri": f"{at}/keys",
        "userinfo_endpoint": f"{at}/userinfo",
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    }
    return jsonify(said | told.get("discovery", {}))


@app.get("/keys")
def public_keys() -> Response:
    asked["keys"] += 1
    of_the_future = {"kty": "NEW", "kid": "unheard of", "use": "sig"}
    return jsonify({"keys": [of_the_future, *(key.as_dict(private=False, use="sig") for key in keys)]})


@app.get("/authorize")
def authorize() -> Any:
    grant = server.get_consent_grant(end_user={"sub": ""})
    if request.args.get("deny"):
        return redirect(f"{request.args['redirect_uri']}?error=access_denied&state={request.args['state']}")
    user: dict[str, Any] = {"sub": request.args["sub"]}
    if email := request.args.get("email"):
        user |= {"email": email, "email_verified": request.args.get("verified") == "1"}
    return server.create_authorization_response(grant_user=user, grant=grant)


@app.post("/token")
def token() -> Any:
    return server.create_token_response()


@app.get("/userinfo")
def userinfo() -> Response:
    return jsonify(tokens[request.headers["Authorization"].removeprefix("Bearer ")] | told.get("userinfo", {}))


@app.post("/told")
def be_told() -> Response:
    told.clear()
    told.update(request.get_json())
    if told.get("rotate"):
        rotate()
    return jsonify(asked)


if __name__ == "__main__":
    rotate()
    app.run("127.0.0.1", int(sys.argv[1]))

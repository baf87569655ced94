"""What the OpenAPI document says of answers: views, and every way in which a request can be refused."""

from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import Any, get_type_hints

import litestar
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, OpenAPIType, Operation, Parameter, Schema, SecurityScheme

from libs.core.games import GAMES
from services.api.edge import PROBLEM_JSON, PROBLEMS, ProblemDetails

_views = [get_type_hints(game.view)["return"] for game in GAMES.values()]
VIEW: dict[int, ResponseSpec] = {
    200: ResponseSpec(reduce(or_, _views), description="What the player may see now", generate_examples=False)
}
"""The answer of every move."""

DONE: dict[int, ResponseSpec] = {204: ResponseSpec(None, description="Done", generate_examples=False)}
"""An answer without a body."""

ANY = (
    "malformed",
    "bad_key",
    "unauthorized",  # a token that is none is refused even where none is needed
    "scope",
    "too_large",
    "unsupported_media_type",
    "rate_limited",
    "starting",
    "internal",
)
SEAT = ("csrf", "unknown_game", "not_a_player", "key_reused", "try_again")


def answers(kind: Any, status: int = 200, description: str = "Done") -> dict[int, ResponseSpec]:
    """A good answer of this type."""
    return {status: ResponseSpec(kind, description=description, generate_examples=False)}


def problems(*codes: str, seat: bool = False) -> dict[int, ResponseSpec]:
    """The refusals with these codes and those that any request may meet; `seat`: it is about a game one sits at."""
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*codes, *(SEAT if seat else ()), *ANY)):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    return {status: _refusal(by_status[status]) for status in sorted(by_status)}


def _refusal(codes: list[str]) -> ResponseSpec:
    return ResponseSpec(
        ProblemDetails,
        description="\n".join(f"- `{code}`: {PROBLEMS[code][1]}" for code in codes),
        media_type=PROBLEM_JSON,
        generate_examples=False,
    )


def document(version: str) -> OpenAPIConfig:
    """The document at /schema/openapi.json, and at /schema."""
    return OpenAPIConfig(
        title="Wordyard",
        version=version,
        summary="Two players, two secret words, six guesses each.",
        path="/schema",
        render_plugins=[JsonRenderPlugin(path=["/openapi.json", "/"])],
        components=Components(
            security_schemes={
                "cookie": SecurityScheme(type="apiKey", name="wordyard", security_scheme_in="cookie"),
                "bearer": SecurityScheme(type="http", scheme="bearer"),
            }
        ),
        security=[{"cookie": []}, {"bearer": []}, {}],
        use_handler_docstrings=True,
    )


@dataclass
class _Keyed(Operation):
    """An operation that is safe to repeat."""

    def __post_init__(self) -> None:
        key = Parameter(
            name="Idempotency-Key",
            param_in="header",
            description="1 to 128 printable ASCII characters. Asked again with the same key, it is done once.",
            schema=Schema(type=OpenAPIType.STRING, min_length=1, max_length=128),
        )
        self.parameters = [*(self.parameters or []), key]


post = partial(litestar.post, operation_class=_Keyed)
"""A route of unsafe requests with a request key."""

"""What schemathesis makes of the OpenAPI document, and what every answer must be.

`WORDYARD_FUZZ_SECONDS` gives it more time, `WORDYARD_FUZZ_SEED` makes the same requests again.
"""

import os
import re
import time
from collections.abc import Mapping
from itertools import count
from typing import Any, NamedTuple, TypeAlias

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi import checks

from services.api.edge import PROBLEMS

SECONDS = float(os.environ.get("WORDYARD_FUZZ_SECONDS", "60"))
SEED = int(os.environ.get("WORDYARD_FUZZ_SEED") or time.time_ns() % 2**32)
ROUND = settings(
    max_examples=5,
    deadline=None,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)
"""A few requests, after which it is looked whether the time is over."""

Operation: TypeAlias = APIOperation[Any, Any, Any, Any]

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
CODE = re.compile(r"^- `(\w+)`: ", re.MULTILINE)

MODES = {"right": GenerationMode.POSITIVE, "wrong": GenerationMode.NEGATIVE}


class Who(NamedTuple):
    """Somebody who asks: the headers that say so."""

    name: str
    headers: Mapping[str, str]


def can_be(mode: str, operation: Operation) -> bool:
    """Can it be asked so? A path takes any text, so that only a body, a query or a header can be wrong."""
    raw = operation.definition.raw
    return mode == "right" or "requestBody" in raw or any(one["in"] != "path" for one in raw.get("parameters", ()))


def require_documented(case: Case, answer: Any) -> None:
    """No answer of 5xx; status, type and body as the document says; each refusal with a code that it lists there."""
    case.validate_response(answer, checks=CHECKS)
    if answer.status_code < 400:
        return
    problem = answer.json()
    described = case.operation.definition.raw["responses"][str(answer.status_code)]["description"]
    assert problem["code"] in CODE.findall(described), f"{problem['code']} is not among {described}"
    assert (PROBLEMS[problem["code"]][0], problem["status"]) == (answer.status_code, answer.status_code)


def ask_at_random(
    operation: Operation, mode: str, url: str, askers: list[Who], known: Mapping[str, list[str]], until: float
) -> int:
    """Ask this until the instant (of the monotonic clock), for real games and players now and then.

    Answers with how often. Raises what `require_documented` raises, for the smallest request that was found.
    """
    asked = 0
    strategy = operation.as_strategy(generation_mode=MODES[mode])
    with requests.Session() as session:
        session.trust_env = False

        def ask(case: Case, who: Who, chance: Any) -> None:
            nonlocal asked
            for name, value in (case.path_parameters or {}).items():
                case.path_parameters[name] = chance.choice([value, *known.get(name, [])])
            asked += 1
            require_documented(case, case.call(base_url=url, session=session, headers=dict(who.headers), timeout=20))

        for number in count(SEED):
            some = given(strategy, st.sampled_from(askers), st.randoms(use_true_random=False))(ask)
            seed(number)(ROUND(some))()
            if time.monotonic() > until:
                return asked
    raise AssertionError

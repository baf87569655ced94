"""Every page, file and answer tells the browser what it may do with it, and nothing about what serves it."""

import re
from collections.abc import Iterator

import httpx
import pytest
from msgspec.structs import replace

from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from services.api.pages import PAGES
from tests.services.api.operating import OLGA
from tests.services.api.player import BASE
from tests.services.api.service import Service, running

SEGMENTS = ("{token:str}", "{id:str}", "{day:str}")


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[Service]:
    migrate(settings.postgres_url)
    with running(replace(settings, outbox=True, operators=(OLGA,), secure_cookies=True)) as service:
        yield service


@pytest.fixture(scope="module")
def answers(service: Service) -> list[httpx.Response]:
    """An answer to a GET and a POST of every route that there is, and of some that there are not."""
    with httpx.Client(base_url=service.url, trust_env=False) as client:
        document = client.get("/schema/openapi.json")
        pages = [page.replace(part, "x") for page in PAGES for part in SEGMENTS if part in page or part == SEGMENTS[0]]
        paths = [*pages, "/outbox", "/desk", "/sw.js", "/static/app/main.js", "/static/nothing", "/vendor/lit-html.js"]
        paths += [*document.json()["paths"], "/health/live", "/health/ready", "/metrics", "/schema", "/nothing"]
        paths = [path.replace("{", "").replace("}", "") for path in paths]
        return [document, *(client.request(method, path) for path in paths for method in ("GET", "POST", "OPTIONS"))]


def test_the_policy_allows_our_own_and_nothing_inline(answers: list[httpx.Response]) -> None:
    assert {answer.status_code for answer in answers} >= {200, 401, 404, 405}
    for answer in answers:
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
        assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert "unsafe" not in str(policy)
        assert "script-src" not in policy  # what default-src says
        assert not {"https:", "http:", "*"} & set(" ".join(policy.values()).split())


def test_each_answer_has_all_that_protects_a_browser(answers: list[httpx.Response]) -> None:
    for answer in answers:
        headers = answer.headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["strict-transport-security"] == "max-age=63072000"
        assert "camera=()" in headers["permissions-policy"]
        assert not {"server", "x-powered-by", "via", "access-control-allow-origin"} & set(headers)


def test_only_files_and_word_lists_are_kept_by_caches(answers: list[httpx.Response]) -> None:
    for answer in answers:
        path, kept = answer.request.url.path, answer.headers.get("cache-control", "")
        if path.startswith(BASE) and not path.startswith((f"{BASE}/words", f"{BASE}/solver/openings")):
            assert kept == "no-store", path
        elif answer.status_code == 200 and not path.startswith(("/health", "/metrics", "/schema", BASE)):
            assert kept == "no-cache", path


def test_cookies_are_for_the_server_alone_and_travel_encrypted(service: Service) -> None:
    made = httpx.post(f"{service.url}{BASE}/session/guest", trust_env=False)
    [cookie] = made.headers.get_list("set-cookie")
    assert {"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert not any(part.startswith("Domain") for part in cookie.split("; "))


def test_pages_hold_no_script_or_style_of_their_own(service: Service) -> None:
    page = httpx.get(service.url, trust_env=False).text
    assert re.findall(r"<style|\son\w+=|\sstyle=|javascript:", page) == []
    assert re.findall(r"<script(?![^>]*\ssrc=\"/)[^>]*>", page) == []

"""What every request meets, whatever it asks for: bodies, origins, headers, and answers that tell no secrets."""

import asyncio
import gzip
import json
import re
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, good, problem
from tests.services.api.service import Service
from tests.until import until


async def raw(player: Player, game: str, body: bytes, kind: str = "application/json", **headers: str) -> Any:
    return await player.http.post(
        f"/api/v1/games/{game}/guesses",
        content=body,
        headers={"content-type": kind, "x-csrf-token": player.csrf, **headers},
    )


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b"{", "$"), (b"", "$"), (b"null", "$"), (b"[]", "$"), (b'"crane"', "$"), (b"{}", "$"),
        (b'{"word":5}', "$.word"), (b'{"word":null}', "$.word"), (b'{"word":["c"]}', "$.word"),
        (b'{"word":"crane","x":1}', "$"), (b'{"type":"open","word":"crane"}', "$"), (b'{"word":"crane"} x', "$"),
        (b'{"word":"\\ud800abcd"}', "$"), (b'{"word":"a\x00b"}', "$"), (b"\xff\xfe", "$"), (b"[" * 10_000, "$"),
        (b'{"word":"crane","word":"allot"}', "$"), (b'{"word":"crane\\u0000"}', "$.word"),
        (b'{"\\u0000":"crane"}', "$"),
    ],
)  # fmt: skip
async def test_a_body_that_is_not_what_it_should_be_is_malformed(
    ann: Player, bob: Player, body: bytes, where: str
) -> None:
    game = await duel(ann, bob)
    told = problem(await raw(ann, game, body), "malformed", 400)
    assert told["where"] == where
    assert (await ann.get(f"/games/{game}"))["version"] == 2


async def test_a_body_of_16_kib_is_read_and_a_larger_one_refused(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    body = b'{"word":"crane"}'
    assert (await raw(ann, game, body + b" " * (16_384 - len(body)))).status_code == 200
    problem(await raw(ann, game, body + b" " * (16_385 - len(body))), "too_large", 413)
    problem(await raw(ann, game, b'"' + b"x" * 500_000 + b'"'), "too_large", 413)

    async def pieces() -> Any:
        for _ in range(40):
            yield b" " * 1000

    answer = await ann.http.post(
        f"/api/v1/games/{game}/guesses",
        content=pieces(),
        headers={"content-type": "application/json", "x-csrf-token": ann.csrf},
    )
    problem(answer, "too_large", 413)
    assert (await ann.get(f"/games/{game}"))["version"] == 3


async def test_what_looks_like_nul_is_text(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    assert (await ann.post(f"/games/{game}/chat", {"text": "\\u0000: no: nul"}))["text"] == "\\u0000: no: nul"
    await ann.refused("malformed", 400, "POST", f"/games/{game}/chat", {"text": "\0"})


async def test_a_text_that_no_table_takes_is_refused_wherever_it_stands(player: NewPlayer) -> None:
    cat = await player().sign_in("nul@example.org")
    await cat.refused("malformed", 400, "POST", "/me/tokens", {"label": "a\0b"})
    await cat.refused("malformed", 400, "POST", "/duels", {"rival_id": "\0", "secret": "crepe"})
    await cat.refused("not_found", 404, "DELETE", "/me/tokens/a%00b")


@pytest.mark.parametrize("path", ["//api/v1", "/api//v1", "///api/v1/", "/%2fapi/v1", "/%2F/api/v1", "//api/v1//"])
async def test_the_gate_sees_the_path_that_the_router_sees(ann: Player, bob: Player, path: str) -> None:
    game = await duel(ann, bob)

    async def post(to: str, body: Any, **headers: str) -> httpx.Response:
        url = httpx.URL(ann.service.url).copy_with(raw_path=f"{path}{to}".encode())
        return await ann.http.post(url, json=body, headers=headers)

    problem(await post("/session/guest", {}, Origin="https://evil.example"), "csrf", 403)
    problem(await post(f"/games/{game}/guesses", {"word": "crane"}), "csrf", 403)
    key = {"X-CSRF-Token": ann.csrf, "Idempotency-Key": "once"}
    views = [good(await post(f"/games/{game}/guesses", {"word": "crane"}, **key)) for _ in range(2)]
    assert views[0] == views[1]
    assert views[0]["version"] == 3


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/v1/me HTTP/1.1\r\nX: " + b"x" * 70_000,
        b"GET /api/v1/me HTTP/1.1\r\n" + b"X: 1\r\n" * 20_000,
        b"GET /" + b"x" * 70_000,
    ],
)
async def test_headers_without_end_are_cut_off(ann: Player, head: bytes) -> None:
    reader, writer = await asyncio.open_connection(ann.service.settings.host, urlsplit(ann.service.url).port)
    writer.write(head)
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b'"code":"headers_too_large"' in answer


@pytest.mark.parametrize(
    "request_", [b"\0\1\r\n\r\n", b"GET /a\xff HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"]
)
async def test_what_is_no_http_is_malformed(ann: Player, request_: bytes) -> None:
    reader, writer = await asyncio.open_connection(ann.service.settings.host, urlsplit(ann.service.url).port)
    writer.write(request_)
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"malformed"' in answer


async def test_a_body_is_json(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonl",
    ):
        problem(await raw(ann, game, b'{"word":"crane"}', kind), "unsupported_media_type", 415)
    assert (await raw(ann, game, b'{"word":"crane"}', "application/json; charset=utf-8")).status_code == 200


async def test_a_compressed_body_is_refused_for_that(ann: Player, bob: Player) -> None:
    game, body = await duel(ann, bob), b'{"word":"crane"}'
    for coding in ("gzip", "br", "identity, gzip"):
        answer = await raw(ann, game, gzip.compress(body), **{"content-encoding": coding})
        told = problem(answer, "unsupported_media_type", 415)
        assert told["detail"] == "A body is sent as it is, without a Content-Encoding."
    assert (await raw(ann, game, body, **{"content-encoding": "Identity"})).status_code == 200


async def test_what_is_not_there_is_not_found(ann: Player) -> None:
    for path in ("/nothing", "/games/x/y/z", "/"):
        await ann.refused("not_found", 404, "GET", path)
    person = {"accept": "text/html,*/*;q=0.8"}
    page = await ann.http.get("/nothing", headers=person)
    assert (page.status_code, page.content) == (404, (await ann.http.get("/")).content)
    problem(await ann.http.get("/nothing"), "not_found", 404)
    problem(await ann.http.get("/api/v1/nothing", headers=person), "not_found", 404)
    answer = await ann.send("PUT", "/games", {})
    problem(answer, "method_not_allowed", 405)
    assert "GET" in answer.headers["allow"]


async def test_unsafe_requests_need_the_value_that_our_page_knows(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    path = f"/games/{game}/guesses"
    for value in ("", "x", bob.csrf, ann.csrf[:-1]):
        await ann.refused("csrf", 403, "POST", path, {"word": "allot"}, X_CSRF_Token=value)
    await ann.refused("csrf", 403, "PATCH", "/me", {"filter": False}, X_CSRF_Token="")
    await ann.refused("csrf", 403, "DELETE", "/session", X_CSRF_Token="")
    assert (await ann.get(f"/games/{game}"))["version"] == 2
    assert (await ann.get("/me"))["csrf"] == ann.csrf


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
async def test_other_sites_change_nothing(ann: Player, player: NewPlayer, headers: dict[str, str]) -> None:
    body = {"kind": "duel", "secret": "crepe"}
    await ann.refused("csrf", 403, "POST", "/invites", body, **headers)
    await player().refused("csrf", 403, "POST", "/session/guest", {}, **headers)
    await player().refused("csrf", 403, "POST", "/sign-in/confirm", {"token": "x"}, **headers)


async def test_our_own_pages_and_programs_may(ann: Player, player: NewPlayer) -> None:
    body = {"kind": "duel", "secret": "crepe"}
    good(await ann.send("POST", "/invites", body, Origin=ann.service.url, Sec_Fetch_Site="same-origin"))
    good(await ann.send("POST", "/invites", body, Sec_Fetch_Site="none"))
    program = await player().enter(token=True)
    good(await program.send("POST", "/invites", body, Origin="https://elsewhere.example"))


async def test_every_answer_says_what_a_browser_may_do_with_it(ann: Player) -> None:
    for path in ("/", "/api/v1/me", "/api/v1/nothing", "/static/app/main.js", "/schema/openapi.json"):
        headers = (await ann.http.get(path)).headers
        policy = headers["content-security-policy"]
        assert {"default-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"} <= set(policy.split("; "))
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "date" in headers
    assert (await ann.send("GET", "/me")).headers["cache-control"] == "no-store"


async def test_a_request_id_is_kept_or_made(ann: Player) -> None:
    assert (await ann.send("GET", "/me", X_Request_ID="abc-1")).headers["x-request-id"] == "abc-1"
    for bad in ("a b", "x" * 65, "<b>"):
        made = (await ann.send("GET", "/me", X_Request_ID=bad)).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f-]{36}", made)
    assert '"request":"abc-1"' in ann.service.api.lines()


async def test_pages_are_one_file_and_are_asked_for_again(ann: Player) -> None:
    first = await ann.http.get("/")
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    for path in ("/new", "/invite/abc", "/game/x", "/rivals", "/history", "/sign-in", "/account", "/how-to-play",
                 "/practice", "/verify/x", "/outbox"):  # fmt: skip
        page = await ann.http.get(path)
        assert (page.status_code, page.content) == (200, first.content)
    again = await ann.http.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = await ann.http.head("/")
    assert (head.status_code, head.content, head.headers["content-length"]) == (
        200,
        b"",
        first.headers["content-length"],
    )


async def test_files_of_the_client_are_served_and_no_others(ann: Player) -> None:
    answer = await ann.http.get("/static/app/main.js")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    plain = await ann.http.get("/static/app/main.js", headers={"accept-encoding": "identity"})
    assert (plain.content, plain.headers["etag"] != answer.headers["etag"]) == (answer.content, True)
    for path in (
        "/static/package.json", "/static/../app.py", "/static/%2e%2e/app.py", "/static/app/", "/static/sw.js",
        "/static/node_modules/lit-html/lit-html.js", "/vendor/package.json", "/vendor/../package.json", "/favicon.ico",
        "/static/app/../../../app.py", "/vendor/node/lit-html.js",
    ):  # fmt: skip
        assert (await ann.http.get(path)).status_code == 404


async def test_the_service_worker_names_the_release_and_every_file(ann: Player) -> None:
    answer = await ann.http.get("/sw.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    text = answer.text
    assert re.search(r'RELEASE = "[0-9a-f]{16}"', text)
    listed = json.loads(re.search(r"FILES = (\[.*?\]);", text)[1])  # type: ignore[index]
    assert {"/static/app/main.js", "/vendor/lit-html.js", "/static/css/base.css"} <= set(listed)
    answers = await asyncio.gather(*(ann.http.get(path) for path in listed))
    assert {answer.status_code for answer in answers} == {200}
    everything = b"".join(answer.content for answer in answers).decode()
    wanted = set(re.findall(r'from "(/vendor/[^"]+)"', everything))
    assert wanted <= set(listed)


async def test_word_lists_are_public_and_kept_for_ever(ann: Player) -> None:
    lists = await ann.get("/words")
    for kind in ("guesses", "secrets"):
        answer = await ann.http.get(lists[kind]["url"])
        words = answer.text.splitlines()
        assert (len(words), words == sorted(words)) == (lists[kind]["count"], True)
        assert "immutable" in answer.headers["cache-control"]
        again = await ann.http.get(lists[kind]["url"], headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
    assert (await ann.http.get("/api/v1/words/guesses")).text.split() == (
        await ann.http.get(lists["guesses"]["url"])
    ).text.split()
    await ann.refused("not_found", 404, "GET", "/words/nothing/guesses.txt")
    packed = await ann.http.send(
        ann.http.build_request("GET", lists["guesses"]["url"], headers={"accept-encoding": "gzip"}), stream=True
    )
    body = b"".join([chunk async for chunk in packed.aiter_raw()])
    assert len(gzip.decompress(body).splitlines()) == lists["guesses"]["count"]


async def test_the_document_tells_every_call_and_its_refusals(ann: Player) -> None:
    document = (await ann.http.get("/schema/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    assert (await ann.http.get("/schema")).json() == document
    guess = document["paths"]["/api/v1/games/{game}/guesses"]["post"]
    assert {"200", "401", "403", "404", "409", "422", "429", "503"} <= guess["responses"].keys()
    assert "`unknown_word`" in guess["responses"]["422"]["description"]
    assert [parameter["name"] for parameter in guess["parameters"]] == ["game", "Idempotency-Key"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (method, path)
            assert operation["responses"].keys() & {"200", "201", "202", "204", "303"}


async def test_health_and_metrics(ann: Player) -> None:
    assert (await ann.http.get("/health/live")).json() == {"status": "ok"}
    parts = {"nats": "ok", "postgres": "ok", "tables": "ok", "serving": "ok"}
    assert (await ann.http.get("/health/ready")).json() == {"status": "ok", "parts": parts}
    assert (await ann.http.get("/health/serving")).json() == {"status": "ok"}
    metrics = (await ann.http.get("/metrics")).text
    assert 'wordyard_request_seconds_count{method="GET",route="/health/live",status="200"}' in metrics


async def test_the_outbox_shows_mail_newest_first(ann: Player) -> None:
    for number in range(2):
        await ann.post("/sign-in/email", {"email": f"outbox{number}@example.org"})
    mails = (await ann.get("/outbox"))["mails"]
    assert [mail["to"] for mail in mails[:2]] == ["outbox1@example.org", "outbox0@example.org"]
    assert "/sign-in#" in mails[0]["text"]


async def test_logs_and_metrics_hold_no_secret(ann: Player, bob: Player, player: NewPlayer, service: Service) -> None:
    secrets = ["vodka", "jumbo", "logtest@example.org"]
    invite = await ann.post("/invites", {"kind": "duel", "secret": "vodka"}, key="logkey")
    await bob.post(f"/invites/{invite['token']}/accept", {"secret": "sight"})
    await bob.post(f"/games/{invite['game']}/guesses", {"word": "jumbo"})
    await bob.refused("letters", 422, "POST", f"/games/{invite['game']}/guesses", {"word": "jumboo"})
    await ann.sign_in("logtest@example.org")
    program = await player().enter(token=True)
    secrets += [invite["token"], ann.http.cookies["wordyard"], ann.csrf, program.token]
    assert service.game is not None
    lines = service.api.lines() + service.game.lines() + (await ann.http.get("/metrics")).text
    assert '"route":"/api/v1/invites/{token}/accept"' in lines
    for secret in secrets:
        assert secret not in lines


async def test_one_line_a_request_and_no_error(ann: Player) -> None:
    await ann.send("GET", "/me", X_Request_ID="just-one-line")

    def logged() -> list[Any]:
        lines = [json.loads(line) for line in ann.service.api.lines().splitlines()]
        assert [line for line in lines if line["level"] in ("error", "critical")] == []
        return [line for line in lines if line.get("request") == "just-one-line"]

    [line] = await until(logged)
    assert (line["event"], line["method"], line["route"], line["status"]) == ("request", "GET", "/api/v1/me", 200)

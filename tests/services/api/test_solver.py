"""The solver over HTTP: every vector, every fault with its place, copies that are killed, a queue that is full."""

import asyncio
import json
import signal
import time
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from libs.core import lexicon
from libs.runtime.settings import Settings
from tests import servers
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, good, problem
from tests.services.api.service import Service, running
from tests.services.solver.fleets import Solver, fleet
from tests.services.solver.test_solver_answers import digest
from tests.until import until

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "solver_boards.json").read_text())
EVERY = 8636
HOUSE = {"guess": "house", "marks": "IIIII"}


@pytest.fixture(scope="module")
def solvers(api_settings: Settings) -> Iterator[list[Solver]]:
    """Two that share what is asked."""
    with fleet(api_settings, 2) as both:
        yield both


@pytest.fixture
async def anybody(solvers: list[Solver], player: NewPlayer) -> Player:
    """A program that is nobody in particular."""
    return player()


def fresh(number: int) -> dict[str, Any]:
    """A board that is asked for the first time; the number says which."""
    words = lexicon.words(lexicon.newest().edition, "enable5")
    return {"rows": [HOUSE, {"guess": words[number * 7 % EVERY], "marks": "IIIII"}]}


@pytest.mark.parametrize("case", VECTORS["boards"], ids=[case["name"] for case in VECTORS["boards"]])
async def test_the_vectors(anybody: Player, case: dict[str, Any]) -> None:
    expect = case["expect"]
    answer = await anybody.send("POST", "/solver", {"rows": case["board"], "limit": EVERY})
    if expect["status"] == "refused":
        told = problem(answer, "board_refused", 422)
        assert {name: told[name] for name in ("fault", "row", "tile")} == {
            name: expect[name] for name in ("fault", "row", "tile")
        }
    elif expect["status"] == "impossible":
        told = problem(answer, "board_impossible", 422)
        assert (told["row"], told["tiles"]) == (expect["row"], expect["tiles"])
    else:
        found = good(answer)
        assert (found["status"], found["count"], found["left_out"]) == (
            expect["status"], expect["count"], expect["left_out"],
        )  # fmt: skip
        assert found["conflict"] in expect.get("conflicts", [None])
        ranked = [(one["word"], one["left"]) for one in found["candidates"]]
        assert [{"word": word, "left": f"{left:.1f}"} for word, left in ranked[:10]] == expect["first"]
        if expect["count"] < EVERY and expect["status"] == "ok":
            assert digest(ranked) == expect["order_sha256"]


async def test_fifty_words_are_told_unless_asked_otherwise(anybody: Player) -> None:
    assert len((await anybody.post("/solver", {"rows": [HOUSE]}))["candidates"]) == 50
    for limit in (0, 3, 799, EVERY):
        found = await anybody.post("/solver", {"rows": [HOUSE], "limit": limit})
        assert (found["count"], len(found["candidates"])) == (799, min(limit, 799))


async def test_splitters_are_told_on_asking(anybody: Player) -> None:
    trap = {"rows": [{"guess": "aitch", "marks": "RICCC"}]}
    found = await anybody.post("/solver", trap | {"split": True})
    assert found["trap"] is True
    assert found["splitters"][0] == {"word": "blawn", "left": 3.2, "hard_mode": False}
    assert "splitters" not in await anybody.post("/solver", trap)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "$"), ([], "$"), ({"rows": {}}, "$.rows"), ({"rows": None}, "$.rows"), ({"rows": ["crane"]}, "$.rows[0]"),
        ({"rows": [["crane", "IIIII"]]}, "$.rows[0]"), ({"rows": [HOUSE, {"guess": "crane"}]}, "$.rows[1]"),
        ({"rows": [{"guess": ["c", "r", "a", "n", "e"], "marks": "IIIII"}]}, "$.rows[0].guess"),
        ({"rows": [{"guess": "crane", "marks": [0, 0, 1, 2, 0]}]}, "$.rows[0].marks"),
        ({"rows": [{"guess": "crane", "marks": 12}]}, "$.rows[0].marks"),
        ({"rows": [{**HOUSE, "colour": "green"}]}, "$.rows[0]"), ({"rows": [], "limits": 5}, "$"),
        ({"rows": [], "limit": -1}, "$.limit"), ({"rows": [], "limit": EVERY + 1}, "$.limit"),
        ({"rows": [], "limit": "50"}, "$.limit"), ({"rows": [], "limit": 1.5}, "$.limit"),
        ({"rows": [], "split": 1}, "$.split"), ({"rows": [{"guess": "cra\0e", "marks": "IIIII"}]}, "$.rows[0].guess"),
    ],
)  # fmt: skip
async def test_what_is_no_board_is_malformed_and_the_place_is_told(anybody: Player, body: Any, where: str) -> None:
    told = await anybody.refused("malformed", 400, "POST", "/solver", body)
    assert told["where"] == where


@pytest.mark.parametrize(
    ("guess", "marks", "fault", "tile"),
    [
        ("crane", "ИИИИИ", "marks", 0), ("crane", "СIIII", "marks", 0), ("crane", "🟩🟩⬛⬛🟨", "marks", 0),
        ("crane", "green", "marks", 0), ("crane", "I,I,I,I,I", "marks", 1), ("cranes", "IIIII", "guess", 5),
        ("", "", "guess", 0), ("    ", "IIIII", "guess", 0), ("сrane", "IIIII", "guess", 0),
        ("x" * 9000, "I", "guess", 5), ("crane", "I" * 9000, "marks", 5),
    ],
)  # fmt: skip
async def test_a_fault_is_told_with_its_row_and_tile(
    anybody: Player, guess: str, marks: str, fault: str, tile: int
) -> None:
    body = {"rows": [HOUSE, {"guess": guess, "marks": marks}]}
    for path in ("/solver", "/solver/review"):
        told = await anybody.refused("board_refused", 422, "POST", path, body)
        assert (told["fault"], told["row"], told["tile"]) == (fault, 1, tile)


@pytest.mark.parametrize("count", [7, 300])
async def test_too_many_rows_are_refused(anybody: Player, count: int) -> None:
    told = await anybody.refused("board_refused", 422, "POST", "/solver", {"rows": [HOUSE] * count})
    assert (told["fault"], told["row"], told["tile"]) == ("rows", 6, None)


async def test_a_body_has_at_most_16_kib(anybody: Player) -> None:
    body = json.dumps({"rows": [HOUSE]}).encode()
    url, headers = "/api/v1/solver", {"content-type": "application/json"}
    fits = await anybody.http.post(url, content=body.ljust(16_384), headers=headers)
    assert good(fits)["count"] == 799
    for content in (body.ljust(16_385), json.dumps({"rows": [HOUSE] * 1000}).encode()):
        problem(await anybody.http.post(url, content=content, headers=headers), "too_large", 413)
    problem(await anybody.http.post(url, content=body), "unsupported_media_type", 415)


async def test_nobody_has_to_be_anybody_and_other_sites_are_kept_out(anybody: Player, ann: Player) -> None:
    assert anybody.http.cookies == {}
    await ann.post("/solver", {"rows": []})
    assert good(await ann.send("POST", "/solver", {"rows": []}, X_CSRF_Token=""))["count"] == EVERY
    await ann.send("POST", "/solver", {"rows": []}, X_Request_ID="whose-board")
    await until(lambda: '"request":"whose-board"' in ann.service.api.lines())
    [line] = [line for line in ann.service.api.lines().splitlines() if '"request":"whose-board"' in line]
    assert json.loads(line)["player"] is None
    await anybody.refused("csrf", 403, "POST", "/solver", {"rows": []}, Origin="https://evil.example")


async def test_an_answer_may_be_kept_for_a_while_and_names_its_edition(anybody: Player) -> None:
    answer = await anybody.send("POST", "/solver", {"rows": [HOUSE]})
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert answer.headers["wordyard-edition"] == lexicon.newest().edition
    refused = await anybody.send("POST", "/solver", {"rows": [{"guess": "", "marks": ""}]})
    assert refused.headers["cache-control"] == "no-store"


async def test_the_openings_are_a_file(anybody: Player) -> None:
    answer = await anybody.send("GET", "/solver/openings")
    told = good(answer)
    assert told["edition"] == answer.headers["wordyard-edition"] == lexicon.newest().edition
    assert [{"word": one["word"], "left": f"{one['left']:.1f}"} for one in told["openings"]] == VECTORS["openings"]
    again = await anybody.send("GET", "/solver/openings", If_None_Match=answer.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")


async def test_a_board_can_be_looked_back_on(anybody: Player) -> None:
    rows = [HOUSE, {"guess": "train", "marks": "IICII"}]
    review = await anybody.post("/solver/review", {"rows": rows, "answer": " FLACK"})
    assert (review["status"], review["conflict"]) == ("ok", None)
    first, second = review["rows"]
    assert first == {
        **HOUSE, "before": EVERY, "left": 799, "expected": 464.4, "best": {"word": "tares", "left": 195.9},
        "best_left": 349, "skill": 82, "luck": 36,
    }  # fmt: skip
    assert (second["left"], second["skill"]) == (21, 100)
    unknown = await anybody.post("/solver/review", {"rows": rows})
    assert [row["best_left"] for row in unknown["rows"]] == [None, None]


@pytest.mark.parametrize(
    ("answer", "row"), [("flac", None), ("flacks", None), ("fläck", None), ("", None), ("house", 0), ("brick", 1)]
)
async def test_an_answer_that_cannot_be_is_refused(anybody: Player, answer: str, row: int | None) -> None:
    body = {"rows": [HOUSE, {"guess": "train", "marks": "IICII"}], "answer": answer}
    told = await anybody.refused("answer_refused", 422, "POST", "/solver/review", body)
    assert told["row"] == row
    await anybody.refused("malformed", 400, "POST", "/solver/review", {**body, "answer": ["flack"]})


async def test_two_copies_share_what_is_asked(anybody: Player, solvers: list[Solver]) -> None:
    name = 'wordyard_solver_seconds_count{endpoint="board"}'
    before = [await solver.counted(name) for solver in solvers]
    await asyncio.gather(*(anybody.post("/solver", fresh(number)) for number in range(60)))
    done = [await solver.counted(name) - start for solver, start in zip(solvers, before, strict=True)]
    assert sum(done) == 60
    assert min(done) > 0


async def test_the_same_board_in_any_order_is_one_for_each_solver(anybody: Player, solvers: list[Solver]) -> None:
    async def counted(cache: str) -> float:
        counts = [await solver.counted(f'wordyard_solver_boards_total{{cache="{cache}"}}') for solver in solvers]
        return sum(counts)

    rows = [HOUSE, {"guess": "train", "marks": "IICII"}, {"guess": "black", "marks": "ICCCC"}]
    before = await counted("hit"), await counted("miss")
    for order in [*permutations(rows)] * 4:
        await anybody.post("/solver", {"rows": order})
    hits, misses = await counted("hit") - before[0], await counted("miss") - before[1]
    assert hits + misses == 24
    assert misses <= len(solvers)


async def test_no_board_is_logged(anybody: Player, solvers: list[Solver], service: Service) -> None:
    await anybody.post("/solver", {"rows": [{"guess": "zooks", "marks": "IIIII"}]})
    await anybody.refused("board_refused", 422, "POST", "/solver", {"rows": [{"guess": "zooksx", "marks": "IIIII"}]})
    lines = service.api.lines() + "".join(solver.lines() for solver in solvers)
    assert '"route":"/api/v1/solver"' in lines
    assert "zooks" not in lines


@pytest.fixture(scope="module")
def own_settings(api_settings: Settings) -> Iterator[Settings]:
    """A service apart, on a NATS server of its own: without a solver, unless a test starts some."""
    with servers.nats_server() as nats:
        yield replace(api_settings, nats_url=nats.url)


@pytest.fixture(scope="module")
def own_service(own_settings: Settings) -> Iterator[Service]:
    with running(own_settings, game=False) as service:
        yield service


@pytest.fixture
async def program(own_service: Service) -> Any:
    async with Player(own_service) as program:
        yield program


async def test_without_a_solver_the_page_is_told_to_come_back(program: Player) -> None:
    start = time.monotonic()
    answer = await program.send("POST", "/solver", {"rows": []})
    assert time.monotonic() - start < 2.5
    problem(answer, "solver_busy", 503)
    assert answer.headers["retry-after"] == "1"
    good(await program.send("GET", "/solver/openings"))


async def test_a_full_queue_is_told_at_once(program: Player, own_settings: Settings) -> None:
    with fleet(replace(own_settings, solver_queue=1)) as [solver]:
        asked = [{"rows": [{"guess": "xylyl", "marks": "IIIII"}, row], "limit": EVERY} for row in _grays(40)]
        start = time.monotonic()
        answers = await asyncio.gather(*(program.send("POST", "/solver", body) for body in asked))
        assert time.monotonic() - start < 2.5
        busy = [answer for answer in answers if answer.status_code != 200]
        assert 0 < len(busy) < len(asked)
        for answer in busy:
            problem(answer, "solver_busy", 503)
            assert answer.headers["retry-after"] == "1"
        assert await solver.counted("wordyard_solver_busy_total") >= len(busy)
        assert await solver.counted("wordyard_solver_queue") == 0


def _grays(count: int) -> list[dict[str, str]]:
    """Rows that leave thousands of words each."""
    words = lexicon.words(lexicon.newest().edition, "enable5")
    rare = [word for word in words if not set(word) & set("aeiorst")]
    return [{"guess": word, "marks": "IIIII"} for word in rare[:count]]


@pytest.mark.faults
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_the_end_of_a_solver_under_load_loses_no_board(
    program: Player, own_settings: Settings, number: signal.Signals
) -> None:
    with fleet(own_settings, 2) as [first, _]:
        asked = 0
        stop = asyncio.Event()

        async def ask() -> None:
            nonlocal asked
            while not stop.is_set():
                asked += 1
                good(await program.send("POST", "/solver", fresh(asked)))

        asking = [asyncio.create_task(ask()) for _ in range(16)]
        await until(lambda: asked > 200)
        first.send(number)
        assert await asyncio.to_thread(first.wait) == (0 if number is signal.SIGTERM else -number)
        so_far = asked
        await until(lambda: asked > so_far + 200)
        stop.set()
        await asyncio.gather(*asking)


async def test_boards_have_a_limit_of_their_own(own_settings: Settings) -> None:
    limited = replace(own_settings, rate_limit=True, solver_rate="20/minute", address_rate="5/minute")
    with fleet(own_settings), running(limited, game=False) as service:
        async with Player(service) as program:
            for _ in range(20):
                await program.post("/solver", {"rows": []})
            answer = await program.send("POST", "/solver", {"rows": []})
            problem(answer, "rate_limited", 429)
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            for _ in range(5):
                await program.get("/solver/openings")
            await program.refused("rate_limited", 429, "GET", "/solver/openings")


@pytest.mark.parametrize("path", ["/solver", "/solver/review"])
async def test_the_document_tells_every_refusal(program: Player, path: str) -> None:
    document = (await program.http.get("/schema/openapi.json")).json()
    told = document["paths"][f"/api/v1{path}"]["post"]["responses"]
    for code, status, headers in (
        ("csrf", 403, {"Origin": "https://evil.example"}),
        ("bad_key", 400, {"Idempotency-Key": ""}),
    ):
        problem(await program.http.post(f"/api/v1{path}", json={"rows": []}, headers=headers), code, status)
        assert f"`{code}`" in told[str(status)]["description"]

"""Health tells the truth, and metrics can be scraped."""

import asyncio
import threading
from collections.abc import Iterator

import httpx
import pytest

from libs.runtime import metrics, ops


@pytest.fixture
def parts() -> dict[str, bool]:
    return {"nats": True, "postgres": True}


@pytest.fixture
def client(parts: dict[str, bool]) -> Iterator[httpx.Client]:
    def broken() -> bool:
        if not parts["postgres"]:
            raise ConnectionError("gone")
        return True

    checks = {"nats": lambda: parts["nats"], "postgres": broken}
    with (
        ops.served("127.0.0.1", 0, checks) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client,
    ):
        yield client


def test_ready_when_every_part_is(client: httpx.Client) -> None:
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "parts": {"nats": "ok", "postgres": "ok"}})


@pytest.mark.parametrize("part", ["nats", "postgres"])
def test_not_ready_says_which_part_is_down_and_live_goes_on(
    client: httpx.Client, parts: dict[str, bool], part: str
) -> None:
    parts[part] = False
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["status"] == "not_ready"
    assert answer.json()["parts"][part] == "down"
    assert client.get("/health/live").status_code == 200


def test_metrics_have_the_names_that_dashboards_rest_on(client: httpx.Client) -> None:
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    metrics.TIMERS_SET.inc(0)
    for name in ("wordyard_sockets", "wordyard_append_seconds", "wordyard_timers_set_total"):
        assert name in answer.text


def test_anything_else_is_unknown(client: httpx.Client) -> None:
    assert client.get("/").status_code == 404


async def test_a_check_on_a_stuck_loop_fails_in_time() -> None:
    async def fine() -> bool:
        return True

    check = ops.on_loop(fine, patience=0.1)
    assert await asyncio.to_thread(check)
    outcome: list[bool] = []
    thread = threading.Thread(target=lambda: outcome.append(ops.ready({"loop": check})["loop"] == "down"))
    thread.start()
    thread.join()  # the loop stands still meanwhile
    assert outcome == [True]

"""What a whole service tells of a duel and the Daily: one trace from HTTP to the fold, and nothing that is secret."""

import re
from datetime import date
from pathlib import Path

import pytest

from libs.core import daily
from tests.given import DAILY_KEY
from tests.services.api.player import Player, duel
from tests.services.cli.collector import Collector, collector
from tests.services.cli.ups import Up, up
from tests.until import until

WORDS = ("crepe", "sight", "banal")
EMAIL = "ann@example.com"
NOON = "2026-01-13T12:00:00-05:00"
DAILY = daily.secret_of(DAILY_KEY, date(2026, 1, 13))
PATH = {
    ("wordyard-api", "POST /api/v1/games/{game}/guesses"),
    ("wordyard-game", "Do"),
    ("wordyard-game", "append"),
    ("wordyard-game", "fold"),
}


@pytest.mark.timeout(180)
async def test_a_guess_is_traced_from_http_to_the_fold_and_nothing_secret_is_told(tmp_path: Path) -> None:
    (tmp_path / "daily_key").write_text(DAILY_KEY.decode())
    with (
        collector() as traces,
        up(
            *("--data", str(tmp_path), "--now", NOON),
            WORDYARD_OTLP_ENDPOINT=traces.url,
            WORDYARD_TRACE_SHARE="1",
            WORDYARD_LOG_LEVEL="debug",
            OTEL_BSP_SCHEDULE_DELAY="100",
        ) as service,
    ):
        secrets = await _play(service)
        await until(lambda: _whole(traces), 20)
        await until(lambda: '"projection"' in _logs(service))
        told = _logs(service) + "".join(span.name + span.attributes for span in traces.spans)
        assert '"route"' in told
        for secret in secrets:
            assert secret not in told
        assert service.end() == 0


async def _play(service: Up) -> list[str]:
    """A duel with guesses and chat, a sign-in, the Daily; answers with all that must stay secret."""
    async with Player(service) as ann, Player(service) as bob:  # type: ignore[arg-type]
        await ann.enter()
        await bob.enter(token=True)
        game = await duel(ann, bob, WORDS[:2])
        await ann.post(f"/games/{game}/guesses", {"word": WORDS[2]})
        await ann.post(f"/games/{game}/chat", {"text": "xylophones are fine"})
        await ann.refused("unknown_word", 422, "POST", f"/games/{game}/guesses", {"word": "qqqqq"})
        await ann.post("/sign-in/email", {"email": EMAIL})
        (mail,) = (await ann.get("/outbox"))["mails"]
        for word in ("crane", DAILY.word):
            assert (await ann.post("/daily/guesses", {"word": word}))["commitment"] == DAILY.commitment
        hidden = ("crane", DAILY.word, DAILY.salt, DAILY_KEY.decode())
        links = re.findall(r"#([\w-]{20,})", mail["text"])
        assert links
        return [*WORDS, *hidden, "qqqqq", "xylophones", EMAIL, ann.csrf, bob.token, *ann.http.cookies.values(), *links]


def _whole(traces: Collector) -> bool:
    found: dict[bytes, set[tuple[str, str]]] = {}
    for span in traces.spans:
        found.setdefault(span.trace, set()).add((span.service, span.name))
    return any(spans >= PATH for spans in found.values())


def _logs(service: Up) -> str:
    return "".join(file.read_text() for file in (service.folder / "logs").glob("*.log"))

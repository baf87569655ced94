"""The duel's right answers, worked out apart from the service."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from libs.core.games.duel.commands import Guess
from libs.core.games.duel.events import Guessed
from libs.core.games.duel.result import outcomes
from libs.core.games.guesses import finished, solved
from libs.core.refusals import Reason
from tests.core.games.duel.games import BOB, Table, opened, secret, started

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "duel_results.json").read_text())
CODES = {
    "key": "key",
    "closed": Reason.CLOSED,
    "early": Reason.TOO_EARLY,
    "finished": Reason.FINISHED,
    "letters": Reason.LETTERS,
    "unknown": Reason.UNKNOWN_WORD,
}
SEATS = {"a": "ann", "b": "bob"}


def standing(rows: list[str]) -> str:
    return "solved" if solved(rows) else "failed" if finished(rows) else "unfinished"


def result_of(mine: str) -> str:
    return {"win": "a", "loss": "b"}.get(mine, mine)


@pytest.mark.parametrize("case", VECTORS["results"])
def test_the_result_follows_from_the_rows(case: dict[str, Any]) -> None:
    a, b, expect = case["a"], case["b"], case["expect"]
    ended = case["midnight"] or (finished(a) and finished(b))
    assert expect["a"] == standing(a)
    assert expect["b"] == standing(b)
    assert expect["ended"] == ended
    if ended:
        first, _ = outcomes(a, b)
        assert expect["result"] == result_of(first)
        assert expect["counted"] == (first != "not_counted")


@pytest.mark.parametrize("case", VECTORS["games"], ids=lambda case: case["name"])
def test_a_whole_game_goes_as_it_should(case: dict[str, Any]) -> None:
    start = datetime.fromisoformat(case["start"])
    table = Table(opened(at=start), secret("ann", case["secrets"]["a"], start), BOB, started(start))
    ready = case["ready"] and datetime.fromisoformat(case["ready"])
    answers: list[dict[str, str]] = []
    for number, event in enumerate(case["events"]):
        at = datetime.fromisoformat(event["at"])
        if ready and ready <= at:
            table = with_second_secret(table, case, ready)
            ready = None
        key = event.get("key", f"own key {number}")
        answer = table.ask(Guess(word=event["word"]), SEATS[event["by"]], at, key)
        if isinstance(answer, str):
            answers.append({"refused": next(name for name, code in CODES.items() if code == answer)})
        else:
            guessed = answer[0]
            assert isinstance(guessed, Guessed)
            answers.append({"marks": guessed.marks})
    if ready:
        table = with_second_secret(table, case, ready)
    table.wake(datetime.fromisoformat(case["until"]))
    expect, duel = case["expect"], table.state
    ann, bob = duel.seat("ann"), duel.seat("bob")
    assert expect["answers"] == answers
    assert expect["used"] == {"a": len(ann.guesses), "b": len(bob.guesses)}
    assert (expect["a"], expect["b"]) == (standing(ann.rows), standing(bob.rows))
    assert datetime.fromisoformat(expect["close"]) == duel.closes_at
    assert expect["ended"] == (duel.ended is not None)
    if duel.ended:
        assert datetime.fromisoformat(expect["ended_at"]) == duel.ended.at
        assert expect["result"] == result_of(duel.ended.scores[0].outcome)
    else:
        assert expect["result"] is None


def with_second_secret(table: Table, case: dict[str, Any], at: datetime) -> Table:
    first = table.history[0]
    more = Table(*first.events, secret("bob", case["secrets"]["b"], at))
    more.history += table.history[1:]
    return more

"""One solver as a micro service: discovered and counted, bounded, drained; what is asked twice is worked out once."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from nats.errors import NoRespondersError
from nats.micro.request import ERROR_CODE_HEADER
from prometheus_client import REGISTRY

from libs.core import subjects
from libs.core.board import Answer, Row
from libs.core.calls import LookBack, Refusal, Solve
from libs.core.solver_review import Review
from libs.runtime.bus import connect
from libs.runtime.connection import Connection
from libs.runtime.settings import Settings
from services.solver.answers import Solver
from services.solver.desk import KEPT, OVERHEAD, Desk
from services.solver.fleet import Copy
from services.solver.kept import Found, Key
from services.solver.letters import Ids
from services.solver.threads import Busy, Threads
from tests.services.solver import solvers
from tests.until import until

HOUSE, TRAP = Row("house", "IIIII"), Row("aitch", "RICCC")


class Held(Solver):
    """A solver that works nothing out before it is let."""

    def __init__(self) -> None:
        made = solvers.solver("numpy")
        super().__init__(made.letters, made.kernel, ())
        self.openings = made.openings
        self.let = threading.Event()
        self.worked_out: list[Key] = []

    def work_out(self, key: Key, words: Ids, limit: int = 50) -> Found:
        self.worked_out.append(key)
        assert self.let.wait(10)
        return super().work_out(key, words, limit)


@asynccontextmanager
async def copy(settings: Settings, solver: Solver, most: int = 64) -> AsyncIterator[Copy]:
    connection = await connect(settings, "solver")
    threads = Threads(most)
    made = Copy(Desk(solver, solvers.reviewer("numpy"), threads))
    await made.join(connection)
    try:
        yield made
    finally:
        await connection.close()
        threads.close()


async def ask(connection: Connection, *rows: Row, **more: Any) -> Answer:
    question = msgspec.json.encode(Solve(rows=rows, **more))
    reply = await connection.request(subjects.SOLVER_BOARD, question, timeout=10)
    assert not reply.headers, reply.headers
    return msgspec.json.decode(reply.data, type=Answer)


async def is_deserted(connection: Connection) -> bool:
    """Does nobody hear what is asked?"""
    try:
        await connection.request(subjects.SOLVER_BOARD, b"")
    except NoRespondersError:
        return True
    return False


async def discovered(connection: Connection, verb: str) -> list[Any]:
    """What every service says to this."""
    inbox = connection.new_inbox()
    answers = await connection.subscribe(inbox)
    await connection.publish(f"$SRV.{verb}.solver", b"", reply=inbox)
    await connection.flush()
    await until(lambda: answers.pending_msgs)
    return [msgspec.json.decode((await answers.next_msg()).data) for _ in range(answers.pending_msgs)]


async def test_it_answers_boards_and_looks_back(settings: Settings, connection: Connection) -> None:
    async with copy(settings, solvers.solver("numpy")):
        assert (await ask(connection, HOUSE)).count == 799
        assert (await ask(connection)).candidates[0].word == "tares"
        assert (await ask(connection, TRAP, split=True)).splitters
        assert len((await ask(connection, HOUSE, limit=8636)).candidates) == 799
        question = msgspec.json.encode(LookBack(rows=(HOUSE,), answer="flack"))
        for _ in range(2):
            reply = await connection.request(subjects.SOLVER_REVIEW, question, timeout=10)
            assert msgspec.json.decode(reply.data, type=Review).rows[0].best_left == 349


async def test_it_is_found_and_its_work_is_counted(settings: Settings, connection: Connection) -> None:
    async with copy(settings, solvers.solver("numpy")):
        for _ in range(3):
            await ask(connection, HOUSE)
        await connection.request(subjects.SOLVER_BOARD, b"[]", timeout=2)
        [ping], [info], [stats] = [await discovered(connection, verb) for verb in ("PING", "INFO", "STATS")]
        assert ping["type"] == "io.nats.micro.v1.ping_response"
        assert (ping["name"], ping["id"]) == (info["name"], info["id"]) == ("solver", stats["id"])
        assert {endpoint["subject"] for endpoint in info["endpoints"]} == {"solver.board", "solver.review"}
        board = next(endpoint for endpoint in stats["endpoints"] if endpoint["name"] == "board")
        assert (board["num_requests"], board["num_errors"], board["queue_group"]) == (4, 1, "solver")
        assert (board["data"]["answered"], board["data"]["turned_away"]) == (3, 0)
        assert board["data"]["seconds"] > 0


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (b"", "400"), (b"{}", "400"), (b'{"rows":5}', "400"), (b'{"rows":[],"limit":-1}', "400"), (b" " * 5000, "400"),
        (b'{"rows":5,"v":9999}', "503"),
        (msgspec.json.encode(Solve(rows=(Row("crane", "IIII"),))), "422"),
        (msgspec.json.encode(Solve(rows=(HOUSE,) * 7)), "422"),
    ],
)  # fmt: skip
async def test_what_is_no_question_is_refused(
    settings: Settings, connection: Connection, question: bytes, code: str
) -> None:
    async with copy(settings, solvers.solver("numpy")):
        reply = await connection.request(subjects.SOLVER_BOARD, question, timeout=2)
        assert reply.headers is not None
        assert reply.headers[ERROR_CODE_HEADER] == code
        if code == "422":
            assert msgspec.json.decode(reply.data, type=Refusal).refused == "board_refused"


async def test_what_is_asked_at_the_same_time_is_worked_out_once(settings: Settings, connection: Connection) -> None:
    solver = Held()
    async with copy(settings, solver, most=1):
        other = Row("quiff", "IIIII")
        boards = [(HOUSE, other), (other, HOUSE), (HOUSE, other, other)] * 5
        asking = [asyncio.create_task(ask(connection, *rows)) for rows in boards]
        await until(lambda: solver.worked_out)
        solver.let.set()
        answers = await asyncio.gather(*asking)
    assert len(solver.worked_out) == 1
    assert len({answer.count for answer in answers}) == 1


async def test_what_is_known_is_answered_while_all_threads_are_busy(settings: Settings, connection: Connection) -> None:
    solver = Held()
    solver.let.set()
    async with copy(settings, solver):
        await ask(connection, HOUSE)
        solver.let.clear()
        asking = [asyncio.create_task(ask(connection, Row(word, "IIIII"))) for word in ("pound", "xylyl", "fuzzy")]
        await until(lambda: len(solver.worked_out) > 2)
        assert (await ask(connection, HOUSE)).count == 799
        solver.let.set()
        await asyncio.gather(*asking)


async def test_more_than_may_wait_is_turned_away_at_once(settings: Settings, connection: Connection) -> None:
    solver = Held()
    async with copy(settings, solver, most=2):
        asking = [asyncio.create_task(ask(connection, Row(word, "IIIII"))) for word in ("pound", "xylyl")]
        await until(lambda: len(solver.worked_out) == 2)
        question = msgspec.json.encode(Solve(rows=(Row("fuzzy", "IIIII"),)))
        reply = await connection.request(subjects.SOLVER_BOARD, question, timeout=2)
        assert reply.headers is not None
        assert reply.headers[ERROR_CODE_HEADER] == "503"
        solver.let.set()
        assert [answer.count for answer in await asyncio.gather(*asking)] == [2477, 5325]
        assert (await ask(connection, Row("fuzzy", "IIIII"))).count == 5303


async def test_who_leaves_answers_what_has_been_heard(settings: Settings, connection: Connection) -> None:
    solver = Held()
    async with copy(settings, solver) as made:
        asking = [asyncio.create_task(ask(connection, Row(word, "IIIII"))) for word in ("pound", "xylyl", "fuzzy")]
        await until(lambda: len(solver.worked_out) == 2)  # as many as there are threads; the third waits
        leaving = asyncio.create_task(made.leave())
        await until(lambda: is_deserted(connection))
        assert not leaving.done()
        solver.let.set()
        await leaving
    assert [answer.count for answer in await asyncio.gather(*asking)] == [2477, 5325, 5303]


async def test_threads_take_so_much_and_no_more() -> None:
    threads, let = Threads(2), threading.Event()
    first, same, second = threads.share("a", let.wait), threads.share("a", let.wait), threads.share("b", let.wait)
    assert first is same
    with pytest.raises(Busy):
        threads.share("c", let.wait)
    let.set()
    assert await asyncio.gather(first, second) == [True, True]
    assert await threads.share("c", lambda: "done") == "done"
    threads.close()


async def test_what_is_kept_ready_is_bounded() -> None:
    threads = Threads(4)
    desk = Desk(solvers.solver("numpy"), solvers.reviewer("numpy"), threads)
    for number in range(KEPT // OVERHEAD + 100):
        answer = desk.board(msgspec.json.encode(Solve(rows=(), limit=number % 100)) + b" " * (number // 100))
        assert isinstance(answer, bytes)
    assert desk._boards.currsize <= KEPT
    threads.close()


async def test_hits_and_misses_are_counted() -> None:
    def counted(name: str) -> float:
        return REGISTRY.get_sample_value("wordyard_solver_boards_total", {"cache": name}) or 0

    threads = Threads(4)
    desk = Desk(solvers.solver("numpy"), solvers.reviewer("numpy"), threads)
    before = counted("hit"), counted("miss")
    for limit in (50, 50, 49):  # the same question, and another one about the same board
        answer = desk.board(msgspec.json.encode(Solve(rows=(Row("youth", "RIIIC"),), limit=limit)))
        assert isinstance(answer if isinstance(answer, bytes) else await answer, bytes)
    assert (counted("hit") - before[0], counted("miss") - before[1]) == (2, 1)
    threads.close()

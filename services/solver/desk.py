"""Where a solver is asked: questions as they come over NATS, answers as the JSON that goes to whoever has asked.

What takes next to no time is answered at once, all else in threads.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
from cachetools import LRUCache

from libs.core import board
from libs.core.calls import LookBack, Solve
from libs.core.decoding import reader
from libs.runtime.metrics import BOARDS
from services.solver.answers import LIMIT, Question, Solver
from services.solver.kept import Found
from services.solver.review import Reviewer
from services.solver.threads import Threads

SMALL = 64  # words that are ranked in less time than a thread takes to be asked
FEW = 200  # candidates that are told in less time
LONGEST = 4096  # bytes of a question
KEPT = 2_000_000  # bytes of answers, ready to be sent, that are kept of each kind
WORTH_KEEPING = 20_000  # bytes: one that is longer would push out too many others
OVERHEAD = 500  # bytes that are kept with each

Answering: TypeAlias = bytes | Awaitable[bytes]
"""An answer, or something to wait for."""

_solve = reader(Solve)
_look_back = reader(LookBack)
_encoder = msgspec.json.Encoder()


class Desk:
    """Answers questions, or says at once why not. Only for the event loop.

    Both methods raise `Busy`, `Refused` for a faulty board, and `msgspec.DecodeError` for what is no question.
    """

    def __init__(self, solver: Solver, reviewer: Callable[[], Reviewer], threads: Threads) -> None:
        self._solver = solver
        self._reviewer = reviewer
        self._threads = threads
        self._boards = _cache()
        self._reviews = _cache()

    def board(self, question: bytes) -> Answering:
        """The answer to a `Solve`."""
        if (kept := self._boards.get(question)) is not None:
            BOARDS.labels("hit").inc()
            return kept
        solve: Solve = _solve(_bounded(question))
        asked = self._solver.ask(solve.rows)
        found = self._solver.known(key := asked.key, limit := solve.limit)
        BOARDS.labels("miss" if found is None else "hit").inc()
        if found is None:
            words = self._solver.standing(key)
            if not 0 < len(words) <= SMALL:
                finding = self._threads.share((key, limit > LIMIT), lambda: self._solver.work_out(key, words, limit))
                return self._tell_when(finding, asked, solve, question)
            found = self._solver.work_out(key, words, limit)
        return self._tell(found, asked, solve, question)

    def review(self, question: bytes) -> Answering:
        """The answer to a `LookBack`."""
        if (kept := self._reviews.get(question)) is not None:
            return kept
        look: LookBack = _look_back(_bounded(question))
        rows = board.check(look.rows)
        answer = None if look.answer is None else board.check_answer(rows, look.answer)

        def work() -> bytes:
            return _encoder.encode(self._reviewer().review(rows, answer))

        return self._keep(self._reviews, question, self._threads.share(("review", question), work))

    async def _tell_when(self, finding: asyncio.Future[Found], asked: Question, solve: Solve, question: bytes) -> bytes:
        answer = self._tell(await finding, asked, solve, question)
        return answer if isinstance(answer, bytes) else await answer

    def _tell(self, found: Found, asked: Question, solve: Solve, question: bytes) -> Answering:
        def work() -> bytes:
            return _encoder.encode(self._solver.tell(asked, found, solve.limit, solve.split))

        if solve.split or solve.limit > FEW:
            return self._keep(self._boards, question, self._threads.share(("board", question), work))
        self._boards[question] = answer = work()
        return answer

    async def _keep(self, kept: LRUCache[bytes, bytes], question: bytes, telling: asyncio.Future[bytes]) -> bytes:
        answer = await telling
        if len(answer) <= WORTH_KEEPING:
            kept[question] = answer
        return answer


def _cache() -> LRUCache[bytes, bytes]:
    return LRUCache(KEPT, getsizeof=lambda answer: len(answer) + OVERHEAD)


def _bounded(question: bytes) -> bytes:
    if len(question) > LONGEST:
        raise msgspec.DecodeError("too long")
    return question

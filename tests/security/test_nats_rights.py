"""What each user of deploy/nats-users.conf may say and hear, subject by subject; all else is refused."""

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

import msgspec
import nats.errors
import pytest
from nats.aio.msg import Msg

from libs.core import subjects
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from libs.runtime.streams import ensure_streams
from libs.runtime.timers import due_consumer
from tests import servers
from tests.security.nats_users import with_users

SERVICES = ("game", "api", "solver", "worker", "scheduler")
GAME = "0123"
STREAMS = (subjects.GAMES, subjects.TIMERS, subjects.CHAT, "KV_scheduler")

SPOKEN = (
    subjects.game("duel", GAME),
    subjects.claim("day"),
    subjects.notice(GAME, "duel"),
    subjects.ask(GAME),
    subjects.ASK_ANY,
    subjects.COPIES,
    subjects.live(GAME, "ann"),
    subjects.timer("duel", GAME),
    subjects.due("duel", GAME),
    subjects.chat(GAME),
    subjects.SOLVER_BOARD,
    subjects.SOLVER_REVIEW,
    subjects.NEWS,
    "$KV.scheduler.leader",
    "$SRV.PING",
    "$SYS.REQ.SERVER.PING",
    "_INBOX.of.another",
    "$JS.ACK.TIMERS.scheduler.1.1.1.1.1",
    "$JS.ACK.GAMES.another.1.1.1.1.1",
)
OF_THE_SERVER = (
    *("INFO", "ACCOUNT.PURGE.WORDYARD", "META.LEADER.STEPDOWN", "SERVER.REMOVE", "STREAM.NAMES", "STREAM.LIST"),
    *(
        f"STREAM.{verb}.{stream}"
        for stream in STREAMS
        for verb in (
            *("CREATE", "UPDATE", "DELETE", "INFO", "PURGE", "SNAPSHOT", "RESTORE", "PEER.REMOVE", "LEADER.STEPDOWN"),
            *("MSG.GET", "MSG.DELETE"),
        )
    ),
    *(f"DIRECT.GET.{stream}{last}" for stream in STREAMS for last in ("", ".any.subject")),
    *(f"CONSUMER.{verb}.{stream}" for stream in STREAMS for verb in ("CREATE", "NAMES", "LIST")),
    *(
        f"CONSUMER.{verb}.{stream}.{name}"
        for stream in STREAMS
        for verb in (
            "CREATE",
            "DURABLE.CREATE",
            "DELETE",
            "INFO",
            "MSG.NEXT",
            "PAUSE",
            "LEADER.STEPDOWN",
            "UNPIN",
            "RESET",
        )
        for name in ("one", "scheduler")
    ),
)

FOLLOWING = {
    "STREAM.MSG.GET.GAMES",
    "DIRECT.GET.GAMES",
    "CONSUMER.CREATE.GAMES",
    *(f"CONSUMER.{verb}.GAMES.{name}" for verb in ("MSG.NEXT", "DELETE") for name in ("one", "scheduler")),
}
INFO = {f"STREAM.INFO.{stream}" for stream in STREAMS}

MAY_SAY = {
    "game": {subjects.game("duel", GAME), subjects.claim("day"), subjects.COPIES, subjects.live(GAME, "ann")},
    "api": {
        *(subjects.ask(GAME), subjects.ASK_ANY, subjects.chat(GAME), subjects.NEWS),
        *(subjects.SOLVER_BOARD, subjects.SOLVER_REVIEW),
    },
    "solver": set(),
    "worker": set(),
    "scheduler": {
        *(subjects.ask(GAME), subjects.ASK_ANY, subjects.timer("duel", GAME)),
        *("$KV.scheduler.leader", "$JS.ACK.TIMERS.scheduler.1.1.1.1.1"),
    },
}
MAY_ASK = {
    "game": INFO | FOLLOWING | {"STREAM.PURGE.GAMES"},
    "api": INFO | {"DIRECT.GET.CHAT", "STREAM.MSG.DELETE.CHAT"},
    "solver": set(),
    "worker": {"STREAM.INFO.GAMES"} | FOLLOWING,
    "scheduler": INFO
    | (FOLLOWING - {"STREAM.MSG.GET.GAMES", "DIRECT.GET.GAMES"})
    | {"STREAM.MSG.GET.KV_scheduler", "DIRECT.GET.KV_scheduler.any.subject", "STREAM.PURGE.TIMERS", "STREAM.PURGE.CHAT"}
    | {"CONSUMER.INFO.TIMERS.scheduler", "CONSUMER.MSG.NEXT.TIMERS.scheduler"},
}
MAY_HEAR = {
    "game": {subjects.ask(GAME), subjects.ASK_ANY, subjects.COPIES},
    "api": {subjects.live(GAME, "ann"), subjects.notice(GAME, "duel"), subjects.chat(GAME), subjects.NEWS},
    "solver": {subjects.SOLVER_BOARD, subjects.SOLVER_REVIEW, "$SRV.PING"},
    "worker": set(),
    "scheduler": set(),
}


class User:
    """A connection, and what the server has refused it."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self.connection = connection
        self.refused: set[str] = set()
        connection._error_cb = self._note

    async def _note(self, error: Exception) -> None:
        said = str(error)  # in small letters, as the client has it
        if "permissions violation" in said:
            self.refused.add(said.split('"')[1])

    async def is_done(self) -> None:
        """Wait until the server has seen all that was sent: a first PING may overtake what is still held back."""
        for _ in range(2):
            await self.connection.flush()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with servers.folder() as folder, with_users(folder, port := free_port()):
        yield f"nats://{HOST}:{port}"


async def connect(url: str, name: str) -> Connection:
    return await bus.connect(Settings(nats_url=url, nats_user=name, nats_password=name.upper()), name, 10)


@pytest.fixture
async def operator(url: str) -> AsyncIterator[Connection]:
    connection = await connect(url, "operator")
    await ensure_streams(connection, 1)
    await due_consumer(connection)
    yield connection
    await connection.close()


@pytest.fixture(params=SERVICES)
async def user(request: pytest.FixtureRequest, url: str, operator: Connection) -> AsyncIterator[User]:
    user = User(request.param, await connect(url, request.param))
    yield user
    await user.connection.close()


async def test_a_service_says_and_asks_what_it_must_and_nothing_else(user: User) -> None:
    said = {**{subject: subject for subject in SPOKEN}, **{f"$JS.API.{call}": call for call in OF_THE_SERVER}}
    for subject in said:
        await user.connection.publish(subject, b"")
    await user.is_done()
    allowed = {short for subject, short in said.items() if subject.lower() not in user.refused}
    assert allowed == MAY_SAY[user.name] | MAY_ASK[user.name]


async def test_a_service_hears_what_it_must_and_nothing_else(user: User) -> None:
    heard = (*SPOKEN[:-3], "game.>", "$JS.API.>", "ask.>", "live.>", "log.>", ">", "$SYS.>")
    for subject in heard:
        await user.connection.subscribe(subject)
    await user.is_done()
    allowed = {subject for subject in heard if subject.lower() not in user.refused}
    assert allowed - {"live.>", "log.>"} == MAY_HEAR[user.name]
    assert ({"live.>", "log.>"} <= allowed) == (user.name == "api")


@pytest.mark.parametrize("asker", ["api", "worker", "scheduler"])
async def test_an_answer_cannot_be_sent_into_the_log(url: str, operator: Connection, asker: str) -> None:
    """The server, the log and the game service answer where the question says, with rights of their own."""
    log, other, game = Log(operator), await connect(url, asker), await connect(url, "game")
    await Log(game).append(subjects.game("duel", ids.new_id()), b"true", 0, "ann:1")
    await operator.publish(subjects.chat(GAME), b"forged")
    before = await log.last_sequence()

    async def answer(message: Msg) -> None:
        await message.respond(b"an answer")

    await game.subscribe(subjects.ASK_ANY, cb=answer)
    await game.flush()
    questions = {
        "$JS.API.STREAM.INFO.GAMES": b"",
        "$JS.API.DIRECT.GET.CHAT": msgspec.json.encode({"last_by_subj": subjects.chat(GAME)}),
        "$JS.API.DIRECT.GET.GAMES": msgspec.json.encode({"seq": before}),
        "$JS.API.STREAM.MSG.GET.GAMES": msgspec.json.encode({"seq": before}),
        subjects.chat(GAME): b"hello",
        subjects.ASK_ANY: b"{}",
    }
    answered = []
    for question, body in questions.items():
        with suppress(nats.errors.TimeoutError):
            await other.request(question, body, timeout=0.5)
            answered.append(question)
    assert "$JS.API.STREAM.INFO.GAMES" in answered
    for question in answered:
        await other.publish(question, questions[question], reply=subjects.game("duel", GAME))
    for question in answered:  # after this the others have been answered too
        await other.request(question, questions[question], timeout=5)
    assert await log.last_sequence() == before
    await other.close()
    await game.close()


async def test_nothing_is_delivered_into_the_log(url: str, operator: Connection) -> None:
    """Neither by a timer nor by whoever follows the log: the server itself refuses both."""
    scheduler, forged = await connect(url, "scheduler"), subjects.game("duel", GAME)
    before = await Log(operator).last_sequence()
    follower = {"stream_name": subjects.GAMES, "config": {"ack_policy": "none", "deliver_subject": forged}}
    refused = await scheduler.request("$JS.API.CONSUMER.CREATE.GAMES", msgspec.json.encode(follower), timeout=2)
    assert b"forms a cycle" in refused.data
    timer = {"Nats-Schedule": "@at 2020-01-01T00:00:00Z", "Nats-Schedule-Target": forged}
    refused = await scheduler.request(subjects.timer("duel", GAME), b"forged", headers=timer, timeout=2)
    assert b"target is invalid" in refused.data
    assert await Log(operator).last_sequence() == before
    await scheduler.close()

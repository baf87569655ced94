"""Commands that arrive twice at once, late, and out of order: as requests at both copies of the api, and over NATS."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import httpx
import msgspec
import nats.errors
from msgspec import Raw, Struct
from nats.aio.msg import Msg

from libs.core.calls import TRY_AGAIN, Answer, Do
from libs.core.messages import GameId, PlayerId
from libs.core.subjects import ASK_ANY
from libs.runtime import bus
from libs.runtime.connection import Connection
from services.cli.faults.fault import NEWCOMERS, Fault, Stage
from services.cli.load.acts import Ask, Reply
from services.cli.load.driver import Driver, Pace
from services.cli.load.ledger import Ledger, Refused, Seen, Taken
from services.cli.load.play import play
from services.cli.load.player import Player

AT_ONCE = 8  # repetitions under way
PATIENCE = 10.0  # seconds for an answer
OURS = "Again"  # the header of a repetition, so that it is not repeated


class Request(Struct, frozen=True):
    """A guess as it was sent once."""

    ask: Ask
    headers: dict[str, str]
    by: PlayerId


class Twice(Driver):
    """Sends each request that has a key to all copies of the api at once, and remembers guesses in `sent`."""

    def __init__(
        self, player: Player, addresses: Sequence[str], pace: Pace, *, copies: Sequence[str], sent: list[Request]
    ) -> None:
        super().__init__(player, addresses, pace)
        self._copies = copies
        self._sent = sent

    async def _ask(self, ask: Ask) -> Reply:
        if not ask.key:
            return await super()._ask(ask)
        request = Request(ask, {**self.player.headers, **ask.headers}, self.player.id)
        if ask.route.endswith("/guesses"):
            self._sent.append(request)
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            first, *_ = await asyncio.gather(
                super()._ask(ask), *(_send(client, copy, request) for copy in self._copies)
            )
        return first


async def _send(client: httpx.AsyncClient, address: str, request: Request) -> Reply:
    ask = request.ask
    headers = {**request.headers, "Idempotency-Key": ask.key}
    try:
        answer = await client.request(ask.method, address + ask.path, json=ask.body, headers=headers)
    except httpx.HTTPError as error:
        return Reply(error=type(error).__name__)
    return Reply(status=answer.status_code, body=answer.content, headers=answer.headers)


async def over_http(stage: Stage) -> None:
    """Some send everything to both copies at once; later all of their guesses come again, shuffled."""
    copies = [stage.service(name).url for name in ("api-1", "api-2")]
    sent: list[Request] = []
    twice = partial(Twice, copies=copies, sent=sent)
    async with play(stage.cluster.address, NEWCOMERS, stage.ledger, driver=twice):
        await stage.last()
        late = [(request, copy) for request in sent for copy in copies]
        stage.chance.shuffle(late)
        room = asyncio.Semaphore(AT_ONCE)
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client, asyncio.TaskGroup() as group:
            for request, copy in late:
                group.create_task(_send_late(client, copy, request, room, stage.ledger))


async def _send_late(
    client: httpx.AsyncClient, copy: str, request: Request, room: asyncio.Semaphore, ledger: Ledger
) -> None:
    async with room:
        reply = await _send(client, copy, request)
    ask, key = request.ask, request.ask.key
    if reply.ok:
        view = msgspec.json.decode(reply.body)
        _note(ledger, ask.parts[0] if ask.parts else view["id"], request.by, key, view["version"], Raw(reply.body))
    elif reply.known and ask.parts:
        ledger.write(_refused(ask.name, reply.status, reply.code, ask.parts[0], request.by, key))


class _Guess(Struct):
    word: str


async def over_nats(stage: Stage) -> None:
    """Every guess that a copy of the api passes on comes twice at once, and twice more later, shuffled."""
    connection = await bus.connect(stage.cluster.settings(), "faults", PATIENCE)
    heard: list[tuple[Do, bytes, str]] = []
    room, now = asyncio.Semaphore(AT_ONCE), set[asyncio.Task[None]]()

    def repeat(do: Do, data: bytes, subject: str) -> None:
        now.add(asyncio.create_task(_ask_again(connection, do, data, subject, room, stage.ledger)))

    def hear(message: Msg) -> None:
        if (do := _guess(message)) is not None:
            heard.append((do, message.data, message.subject))
            repeat(*heard[-1])

    try:
        listening = await connection.listen("ask.game.>", hear)
        await stage.last()
        await listening.unsubscribe()
        late = [(do, data, subject) for do, data, first in heard for subject in (first, ASK_ANY)]
        stage.chance.shuffle(late)
        for one in late:
            repeat(*one)
        await asyncio.gather(*now)
    finally:
        await connection.close()


def _guess(message: Msg) -> Do | None:
    """The guess in a message that somebody else has sent; none if it is anything else."""
    if message.headers and OURS in message.headers:
        return None
    call = bus.question(message)
    if not isinstance(call, Do):
        return None
    try:
        msgspec.json.decode(call.command, type=_Guess)
    except msgspec.ValidationError:
        return None
    return call


async def _ask_again(
    connection: Connection, do: Do, data: bytes, subject: str, room: asyncio.Semaphore, ledger: Ledger
) -> None:
    async with room:
        try:
            reply = await connection.request(subject, data, timeout=PATIENCE, headers={OURS: "1"})
        except nats.errors.Error:
            return
    answer = msgspec.json.decode(reply.data, type=Answer)
    if answer.refused is None:
        seen = answer.seen[-1]
        _note(ledger, answer.game, answer.player, do.key, seen.version, seen.view)
    elif answer.refused != TRY_AGAIN:
        ledger.write(_refused("ask", 409, answer.refused, do.game, do.by.id, do.key))


def _note(ledger: Ledger, game: GameId, by: PlayerId, key: str, version: int, view: Raw) -> None:
    ledger.write(Taken(game=game, by=by, key=key, version=version))
    ledger.write(Seen(game=game, by=by, version=version, view=view))


def _refused(request: str, status: int, code: str, game: GameId, by: PlayerId, key: str) -> Any:
    return Refused(request=request, status=status, code=code, game=game, by=by, key=key, final=True)


def faults() -> Iterable[Fault]:
    """Both."""
    yield Fault(
        name="again-http",
        does="requests come to both copies of the api at once, and guesses once more later, out of order",
        expected="each is done once and always answered alike",
        act=over_http,
    )
    yield Fault(
        name="again-nats",
        does="guesses come to the game service twice at once, and twice more later, out of order",
        expected="each is done once and always answered alike",
        act=over_nats,
    )

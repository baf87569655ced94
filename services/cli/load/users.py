"""The players as users of Locust: their scripts carried out on gevent, one greenlet each and one for each socket.

Importing this patches the whole process, so that only the swarm's own process does.
"""

import time
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from typing import Any, TypeVar

import gevent
import locust
from gevent.event import Event
from locust.user.task import LOCUST_STATE_STOPPING
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from libs.core.messages import GameId
from libs.runtime.ids import between
from services.cli.load import mix as mixes
from services.cli.load.acts import Act, Ask, Await, Drop, Follow, Leave, Reply, Rest, Script, Think
from services.cli.load.entering import enter
from services.cli.load.plan import Plan
from services.cli.load.player import Following, Player, World
from services.cli.load.words import chance

T = TypeVar("T")

SILENCE = 6.0  # seconds without an answer
AGAIN = 0.2  # seconds before a socket is opened anew
LIVE = "/games/{}/live"
NO_COOKIES = DefaultCookiePolicy(allowed_domains=())


class Visitor(locust.FastHttpUser):
    """One player. `plan` and `world` are set before the first one comes."""

    plan: Plan
    world: World
    reconnects = 0
    network_timeout = SILENCE
    connection_timeout = SILENCE

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self.client.cookiejar.set_policy(NO_COOKIES)
        self._player = Player(self.world)
        self._noticed = Event()
        self._player.noticed = self._noticed.set
        self._followed: dict[GameId, gevent.Greenlet] = {}
        self._sockets: dict[GameId, ClientConnection] = {}

    def on_start(self) -> None:
        """Come in."""
        self._run(enter(self._player, account=chance(self.plan.accounts)))

    def on_stop(self) -> None:
        """Hang up."""
        for game in list(self._followed):
            self._leave(game)

    @locust.task
    def something(self) -> None:
        """Do one thing of the mix, from beginning to end."""
        if not self._player.token:  # the service let nobody in
            self.on_start()
            return
        try:
            self._run(mixes.pick(self.plan.mix)(self._player))
        finally:
            self.on_stop()
        gevent.sleep(between(0, 2 * self.plan.think))

    @property
    def _going(self) -> bool:
        return self._state != LOCUST_STATE_STOPPING

    def _run(self, script: Script[T]) -> T:
        came: Any = None
        while True:
            try:
                act = script.send(came)
            except StopIteration as end:
                result: T = end.value
                return result
            came = self._do(act)

    def _do(self, act: Act) -> Any:
        match act:
            case Ask():
                return self._ask(act)
            case Think():
                gevent.sleep(act.times * between(0, 2 * self.plan.think))
                return self._going
            case Rest():
                gevent.sleep(act.seconds)
                return self._going
            case Follow():
                self._followed[act.game] = gevent.spawn(self._follow, Following(self._player, act.game))
            case Drop():
                if (socket := self._sockets.get(act.game)) is not None:
                    socket.socket.close()
            case Leave():
                self._leave(act.game)
            case Await():
                return self._await(act)
        return None

    def _ask(self, ask: Ask) -> Reply:
        headers = {**self._player.headers, **ask.headers}
        if ask.key:
            headers["Idempotency-Key"] = ask.key
        with self.client.request(
            ask.method, ask.path, name=ask.route, json=ask.body, headers=headers, catch_response=True
        ) as answer:
            if answer.status_code:
                reply = Reply(status=answer.status_code, body=answer.content or b"", headers=answer.headers)
            else:
                reply = Reply(error=type(answer.error).__name__)
            if reply.known:
                answer.success()  # a refusal by the rules is as good an answer as any
            else:
                answer.failure(reply.code)
        return reply

    def _await(self, act: Await) -> bool:
        until = time.monotonic() + act.seconds
        while self._going and time.monotonic() < until:
            self._noticed.clear()
            view = self._player.views.get(act.game)
            if view is not None and act.so(view):
                return True
            self._noticed.wait(0.5)
        return False

    def _follow(self, following: Following) -> None:
        while True:
            with suppress(OSError, WebSocketException), self._connected(following.path) as socket:
                self._sockets[following.game] = socket
                for frame in socket:
                    following.take(frame)
            Visitor.reconnects += 1
            gevent.sleep(AGAIN)

    def _connected(self, path: str) -> ClientConnection:
        """A new socket; how long that takes is measured like a request. Raises what `connect` raises."""
        address = f"{self.host}".replace("http", "ws", 1) + path
        began, failed = time.perf_counter(), None
        try:
            return connect(
                address,
                additional_headers=self._player.headers,
                compression=None,
                proxy=None,
                open_timeout=SILENCE,
                close_timeout=1,
            )
        except (OSError, WebSocketException) as error:
            failed = error
            raise
        finally:
            self.environment.events.request.fire(
                request_type="WS",
                name=LIVE,
                response_time=(time.perf_counter() - began) * 1000,
                response_length=0,
                exception=failed,
                context={},
            )

    def _leave(self, game: GameId) -> None:
        if (greenlet := self._followed.pop(game, None)) is not None:
            greenlet.kill()
            if greenlet.exception is not None:  # a frame was none of ours
                raise greenlet.exception
        self._sockets.pop(game, None)

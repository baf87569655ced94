"""Acting as an operator from the command line: through the game service, or in its place if none runs."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import click
import msgspec
import psycopg
from msgspec import Raw

from libs.core.calls import TRY_AGAIN, Answer, Call, Do, Person
from libs.core.games.person.state import KIND
from libs.core.messages import PlayerId
from libs.runtime import bus, ids
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.settings import Settings, read
from services.api.accounts.erasing import SEATS
from services.api.desk.operators import ACCOUNT_OF
from services.api.edge import PROBLEMS
from services.cli.reach import connected
from services.game.answer import Answerer

BUDGET = 2.0  # seconds for a game service to answer

_OPERATOR = "select id, email from players where (id = %(who)s or email = lower(%(who)s)) and not guest"


class Desk:
    """The servers as an operator uses them. Whatever is refused raises `click.ClickException`."""

    def __init__(self, connection: Connection, settings: Settings) -> None:
        self.connection = connection
        self._url = settings.postgres_url
        self._now = clock()

    def rows(self, query: str, values: Any) -> Sequence[tuple[Any, ...]]:
        """All rows of a query."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            return connection.execute(query.encode(), values).fetchall()

    def account_of(self, player: PlayerId) -> PlayerId:
        """The account that this player is a part of, or the player."""
        for (account,) in self.rows(ACCOUNT_OF, (player,)):
            return str(account)
        raise refusal("unknown_player")

    def operator(self, named: str | None) -> PlayerId:
        """The account in whose name something is done; one of the operators, where the settings name some."""
        operators = [one.strip().lower() for one in read(os.environ).operators]
        who = named or (operators[0] if len(operators) == 1 else None)
        if who is None:
            raise click.UsageError("say with --as in whose name: the id or the e-mail address of an account")
        found = self.rows(_OPERATOR, {"who": who})
        if not found:
            raise click.ClickException(f"there is no account {who}")
        [(account, email)] = found
        if operators and not {account, email} & set(operators):
            raise refusal("not_an_operator")
        return str(account)

    def seats(self, account: PlayerId) -> list[PlayerId]:
        """Every id under which this account may sit at a game."""
        return [id_ for (id_,) in self.rows(SEATS, {"me": account})]

    async def act(self, operator: PlayerId, player: PlayerId, what: dict[str, Any]) -> None:
        """Let the operator do something about a player."""
        do = Do(
            game=player,
            by=Person(id=operator, operator=True),
            key=ids.new_id(),
            received=self._now(),
            command=Raw(msgspec.json.encode({**what, "player": player})),
            kind=KIND,
        )
        await self.ask(do)

    async def ask(self, call: Call) -> Answer:
        """The answer of a game service, or of ourselves if none runs."""
        try:
            answer = await bus.ask(self.connection, call, BUDGET)
        except bus.Unavailable:
            answer = await Answerer(self.connection, self._now).answer(call)
        if answer.refused is not None:
            raise refusal(answer.refused)
        return answer


@asynccontextmanager
async def desk(settings: Settings) -> AsyncIterator[Desk]:
    """The desk at these servers. Raises `click.ClickException` for whatever is not in order, in the block too."""
    async with connected(settings, "moderate") as connection:
        yield Desk(connection, settings)


def refusal(code: str) -> click.ClickException:
    """A refusal in words, with its code."""
    words = "It is not known whether this was done." if code == TRY_AGAIN else PROBLEMS[code][1]
    return click.ClickException(f"{words} ({code})")

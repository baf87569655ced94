"""What the api is made of: built once, handed to every handler."""

from dataclasses import dataclass

from libs.runtime.clock import Clock, clock
from libs.runtime.push_keys import private_key, public_text
from libs.runtime.settings import Settings
from libs.runtime.tables import Tables
from services.api.accounts.blocking import Blocks
from services.api.accounts.ended import Ended
from services.api.accounts.joins import Joins
from services.api.accounts.muting import Muting
from services.api.accounts.provider import Provider
from services.api.accounts.seen import Seen
from services.api.accounts.sessions import Signer
from services.api.chat_tally import ChatTally
from services.api.client import Client
from services.api.dailies import Dailies
from services.api.database import Database
from services.api.feeds import Feeds
from services.api.limits import Limits
from services.api.names import Names
from services.api.nats_link import NatsLink
from services.api.news import Board
from services.api.practice_tokens import PracticeTokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything that lives as long as the process."""

    settings: Settings
    now: Clock
    link: NatsLink
    database: Database
    board: Board
    signer: Signer
    practice: PracticeTokens
    tables: Tables
    ended: Ended
    seen: Seen
    joins: Joins
    blocks: Blocks
    muting: Muting
    tally: ChatTally
    names: Names
    dailies: Dailies
    limits: Limits
    feeds: Feeds
    client: Client
    provider: Provider
    push_key: str | None  # what a browser must know to let us send it notices


def assemble(settings: Settings, now: Clock) -> Parts:
    """The parts for these settings; nothing is connected yet. Raises `BadSetting`."""
    link = NatsLink(settings)
    database = Database(settings)
    board = Board(link)
    names = Names(database, board)
    return Parts(
        settings=settings,
        now=now,
        link=link,
        database=database,
        board=board,
        signer=Signer(settings),
        practice=PracticeTokens(settings.secret_key),
        tables=Tables(settings.postgres_url),
        ended=Ended(database, board, now),
        seen=Seen(database),
        joins=Joins(database, link, now),
        blocks=Blocks(database),
        muting=Muting(database),
        tally=ChatTally(),
        names=names,
        dailies=Dailies(link, names, database, settings.secret_key),
        limits=Limits(settings),
        feeds=Feeds(link, board),
        client=Client(),
        provider=Provider(settings, clock()),
        push_key=public_text(private_key(settings.push_key)) if settings.push_key else None,
    )

"""What the copies of the api tell each other, only to be quick: a session has ended, a name has changed."""

from collections.abc import Callable

import msgspec
import nats.errors
import structlog
from msgspec import Struct
from nats.aio.msg import Msg

from libs.core import decoding, subjects
from libs.runtime.bus import Unavailable
from libs.runtime.connection import Connection
from services.api.nats_link import NatsLink

log = structlog.get_logger()


class News(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What has happened."""

    ended: tuple[str, ...] = ()  # sessions and tokens
    replaced: bool = False  # they have ended since their player has a new one
    renamed: tuple[str, ...] = ()  # players


_news = decoding.reader(News)


class Board:
    """Where news are put up and read."""

    def __init__(self, link: NatsLink) -> None:
        self._link = link
        self._readers: list[Callable[[News], None]] = []

    def read_by(self, reader: Callable[[News], None]) -> None:
        """Tell this function of all news, our own too."""
        self._readers.append(reader)

    async def tell(self, news: News) -> None:
        """Tell everybody; if NATS is down, only this copy."""
        self.here(news)
        try:
            await self._link.connection.publish(subjects.NEWS, msgspec.json.encode(news))
        except (nats.errors.Error, Unavailable):
            log.warning("news not told")

    async def listen(self, connection: Connection) -> None:
        """Hear what other copies tell."""
        await connection.subscribe(subjects.NEWS, cb=self._heard)

    async def _heard(self, message: Msg) -> None:
        try:
            self.here(_news(message.data))
        except msgspec.DecodeError:
            log.warning("news not understood")

    def here(self, news: News) -> None:
        """Tell this copy alone."""
        for reader in self._readers:
            reader(news)

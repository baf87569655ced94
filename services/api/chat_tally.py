"""Who has said how much in which chat, as this copy knows it: so that a message costs reading only what is new."""

from collections import OrderedDict, defaultdict
from collections.abc import Set

from libs.core.messages import GameId, PlayerId
from libs.runtime.chat_store import ChatStore
from services.api import said

CHATS = 2000  # that are remembered; of another one all is read again


class _Chat:
    """The ids of what was said, and nothing of its text."""

    def __init__(self) -> None:
        self.by: defaultdict[PlayerId, set[str]] = defaultdict(set)
        self.read = 0  # up to and with this number in the stream


class ChatTally:
    """Reads the end of a chat that it has not seen yet, whoever has written it."""

    def __init__(self) -> None:
        self._chats: OrderedDict[GameId, _Chat] = OrderedDict()

    async def ids(self, chats: ChatStore, game: GameId, player: PlayerId) -> Set[str]:
        """The ids of this player's messages in a game. Raises `Unread`."""
        chat = self._chats.setdefault(game, _Chat())
        self._chats.move_to_end(game)
        if len(self._chats) > CHATS:
            self._chats.popitem(last=False)
        for record in await chats.read(game, chat.read + 1):
            one = said.decode(record.data)
            chat.by[one.by].add(one.id)
            chat.read = max(chat.read, record.sequence)
        return chat.by[player]

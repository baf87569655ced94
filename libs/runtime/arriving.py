"""What the server sends, cut into messages at a third of what the library's own parser and headers cost."""

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.protocol.parser import AWAITING_CONTROL_LINE, MAX_CONTROL_LINE_SIZE, Parser

_WORDS = {b"MSG": 3, b"HMSG": 4}
"""How many words follow each verb: subject, subscription and sizes; one more if a reply is wanted."""


class Arrived(Msg):
    """A message whose headers are read when somebody asks for them: hardly anybody does."""

    def __init__(self, client: Client, subject: str, reply: str, data: bytes, head: bytes = b"") -> None:
        super().__init__(client, subject, reply, data)
        self.head = head

    @property
    def headers(self) -> dict[str, str] | None:
        """All headers; none if there are none."""
        return read_headers(self.head) if self.head else None

    @headers.setter
    def headers(self, _: object) -> None:
        """The library's own constructor sets none."""

    def said(self, name: str) -> str:
        """One header; empty if there is none of this name."""
        return (self.headers or {}).get(name, "") if name.encode() in self.head else ""


class LeanParser(Parser):
    """Takes messages as they lie in what has arrived; whatever else the server says is for the library's parser."""

    def reset(self) -> None:
        """Begin anew, as after a lost connection."""
        super().reset()
        self._cut = b""  # a message of which the rest has not come

    async def parse(self, data: bytes = b"") -> None:
        """Hand on the messages in what has arrived. Raises `nats.errors.ProtocolError`."""
        if self.buf or self.state != AWAITING_CONTROL_LINE:
            await super().parse(data)
            return
        data = self._cut + data
        taken, is_cut = await self._take(data)
        self._cut = data[taken:] if is_cut else b""
        if not is_cut:
            await super().parse(data[taken:])

    async def _take(self, data: bytes) -> tuple[int, bool]:
        """Hand on the whole messages at the beginning; answers with their length, and whether the rest is cut off."""
        at = 0
        while (end := data.find(b"\r\n", at)) >= 0:
            verb, *words = data[at:end].split(b" ")
            if verb not in _WORDS or not 0 <= len(words) - _WORDS[verb] <= 1:
                return at, False
            try:
                number, size = int(words[1]), int(words[-1])
                head = int(words[-2]) if verb == b"HMSG" else 0
            except ValueError:
                return at, False
            start = end + 2
            body, stop = start + head, start + size
            if len(data) < stop + 2:
                return at, True
            reply = words[2] if len(words) > _WORDS[verb] else b""
            await self.nc._process_msg(number, words[0], reply, data[body:stop], data[start:body])
            at = stop + 2
        return at, len(data) - at < MAX_CONTROL_LINE_SIZE


def read_headers(head: bytes) -> dict[str, str]:
    """The headers in this block; the server's own word, if there is one, as `Status` and `Description`."""
    first, *lines = head.decode(errors="replace").split("\r\n")
    headers = {name: value.strip() for name, _, value in (line.partition(":") for line in lines) if name}
    _, _, word = first.partition(" ")
    if word:
        headers["Status"], _, headers["Description"] = word.partition(" ")
    return headers

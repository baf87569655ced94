"""However the server's bytes are cut on their way, the messages are those that the library's parser finds."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nats.errors import ProtocolError
from nats.protocol.parser import Parser

from libs.runtime.arriving import Arrived, LeanParser

Message = tuple[int, bytes, bytes, bytes, bytes]

_WORD = st.from_regex(rb"[A-Za-z0-9_.$-]{1,20}", fullmatch=True)
_BODY = st.binary(max_size=60) | st.sampled_from([b"\r\n", b"MSG a 1 0\r\n\r\n", b"x\r\nPING\r\n"])
_HEAD = st.lists(st.tuples(_WORD, _WORD)).map(
    lambda pairs: b"NATS/1.0\r\n" + b"".join(b"%s: %s\r\n" % pair for pair in pairs) + b"\r\n"
)
_MESSAGE = st.tuples(st.integers(1, 999), _WORD, _WORD | st.just(b""), _BODY, _HEAD | st.just(b""))


class Hearing:
    """Notes what a parser hands on."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, head: bytes | None) -> None:
        self.heard.append((sid, subject, reply, data, head or b""))

    async def _process_ping(self) -> None:
        self.heard.append("ping")


def _sent(message: Message) -> bytes:
    sid, subject, reply, body, head = message
    words = [subject, b"%d" % sid, *([reply] if reply else [])]
    sizes = [b"%d" % len(head), b"%d" % (len(head) + len(body))] if head else [b"%d" % len(body)]
    return b" ".join([b"HMSG" if head else b"MSG", *words, *sizes]) + b"\r\n" + head + body + b"\r\n"


@given(st.lists(_MESSAGE | st.just("ping"), max_size=8), st.lists(st.integers(0, 400), max_size=12))
async def test_the_same_messages_however_the_bytes_are_cut(messages: list[Message | str], cuts: list[int]) -> None:
    sent = b"".join(b"PING\r\n" if isinstance(one, str) else _sent(one) for one in messages)
    places = [0, *sorted(cut for cut in cuts if cut < len(sent)), len(sent)]
    lean, library = Hearing(), Hearing()
    ours, theirs = LeanParser(lean), Parser(library)
    for start, stop in pairwise(places):
        await ours.parse(sent[start:stop])
        await theirs.parse(sent[start:stop])
    assert lean.heard == library.heard == messages


@pytest.mark.parametrize("line", [b"MSG a one 0\r\n\r\n", b"MSG a 1 zero\r\n\r\n", b"HMSG a 1 2\r\n\r\n", b"HELLO\r\n"])
async def test_what_is_no_message_is_for_the_library_to_refuse(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        await LeanParser(Hearing()).parse(line)


def test_headers_are_read_when_somebody_asks() -> None:
    client: Any = None
    message = Arrived(client, "a", "", b"", b"NATS/1.0 503 Nobody\r\nTrace: one\r\nOther:two \r\n\r\n")
    assert message.headers == {"Trace": "one", "Other": "two", "Status": "503", "Description": "Nobody"}
    assert (message.said("Trace"), message.said("Trac"), message.said("None")) == ("one", "", "")
    assert (Arrived(client, "a", "", b"").headers, Arrived(client, "a", "", b"").said("Trace")) == (None, "")

"""Whatever is put before a decoder, it reads it or refuses it in the one way that its callers know.

Nothing else may come out: not an error of a library, not one of depth, and not a value that a text made up.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nats.aio.msg import Msg

from libs.core import calls, decoding
from libs.core.calls import LookBack, Person, Solve, Wake
from libs.core.games import GAMES
from libs.core.history import reader_of
from libs.core.refusals import Refused
from libs.runtime import bus, ids
from libs.runtime.arriving import read_headers
from libs.runtime.direct import predecessor
from libs.runtime.endpoints import Inside, parsed
from libs.runtime.settings import PREFIX, BadSetting, Settings, read
from services.api import said
from services.api.accounts.sessions import Session, Signer
from services.api.invite_tokens import game_of, token_of
from services.api.news import News
from services.api.practice_tokens import PracticeTokens
from services.api.problems import Problem
from services.game.claims import Claim

KEY = "tests-need-no-secrets-but-32-chars"
SIGNER = Signer(Settings(secret_key=KEY))
NOON = datetime(2026, 1, 15, 17, tzinfo=UTC)
SESSION = Session(id=ids.new_id(), player=ids.new_id(), guest=True, issued=NOON)
COOKIE = SIGNER.cookie(SESSION).split("=", 1)[1].split(";")[0]
TOKEN = SIGNER.token(SESSION)
INVITE = token_of(ids.new_id(), KEY)

HISTORIES = Path(__file__).parents[1] / "core" / "histories"
FIELDS = [PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)]

FEW = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

DEEP = [b"[" * 100_000, b'{"a":' * 100_000, b'{"call":"do","command":' + b"[" * 100_000]
ODD = [b"", b"null", b"[]", b"{}", b'"\xff"', b'{"type":"\xff"}', b"1e999", b"\x00", b'{"call":null}', *DEEP]


def damaged(whole: bytes) -> st.SearchStrategy[bytes]:
    """This, with some bytes changed, cut out, or put in."""

    def change(changes: list[tuple[int, bytes, int]]) -> bytes:
        found = whole
        for at, put, cut in changes:
            at %= len(found) + 1
            found = found[:at] + put + found[at + cut :]
        return found

    return st.lists(
        st.tuples(st.integers(0, 10_000), st.binary(max_size=4), st.integers(0, 8)), min_size=1, max_size=4
    ).map(change)


def texts(*whole: str) -> st.SearchStrategy[str]:
    """Any text as a header has it, and these with damage."""
    return st.text(st.characters(max_codepoint=255), max_size=300) | st.one_of(
        damaged(one.encode()).map(lambda data: data.decode("latin-1")) for one in whole
    )


@FEW
@given(texts(COOKIE, TOKEN))
def test_a_cookie_or_token_is_ours_by_the_letter_or_nobody_s(text: str) -> None:
    assert SIGNER.read_cookie(text) == (SESSION if text == COOKIE else None)
    assert SIGNER.read_token(text) == (SESSION if text == TOKEN else None)
    assert SIGNER.is_csrf(SESSION.id, text) == (text == SIGNER.csrf(SESSION.id))


@FEW
@given(texts(SIGNER.seal("oidc", b"{}")))
def test_what_was_sealed_is_opened_for_its_use_alone(text: str) -> None:
    assert SIGNER.unseal("oidc", text) in (None, b"{}")
    assert SIGNER.unseal("another", text) is None


@FEW
@given(texts(INVITE) | st.text(max_size=60))
def test_an_invite_is_ours_by_the_letter_or_unknown(text: str) -> None:
    try:
        game_of(text, KEY)
    except Refused:
        return
    assert text == INVITE


@FEW
@given(st.text(max_size=120))
def test_a_game_of_practice_is_ours_or_refused(text: str) -> None:
    with pytest.raises(Problem, match="practice_token"):
        PracticeTokens(KEY).open(text)


@FEW
@given(st.text(max_size=200) | st.text("htps:/@.[]%#?0123456789abcdef", max_size=60).map("https://".__add__))
def test_where_a_push_goes_is_a_public_address_or_refused(text: str) -> None:
    try:
        parts = parsed(text)
    except Inside:
        return
    assert (parts.scheme, parts.port, parts.username) == ("https", None, None)
    assert "." in str(parts.hostname)


@FEW
@given(st.binary(max_size=200).map(b"NATS/1.0\r\n".__add__))
def test_headers_of_nats_are_names_and_texts(data: bytes) -> None:
    headers = read_headers(data)
    assert all(isinstance(name, str) and isinstance(value, str) for name, value in headers.items())
    assert predecessor(headers) is None or isinstance(predecessor(headers), int)


READERS: dict[str, Callable[[bytes], Any]] = {
    **{kind.__name__: decoding.reader(kind) for kind in (Solve, LookBack, News, Claim)},
    **{f"record of {kind}": reader_of(kind) for kind in GAMES},
    "call": lambda data: bus.question(Msg(None, data=data)),  # type: ignore[arg-type]
    "chat": said.decode,
}
WHOLE = [
    msgspec.json.encode(Wake(game="g", kind="duel")),
    msgspec.json.encode(calls.Look(game="g", by=Person(id="ann"))),
    msgspec.json.encode(Solve(rows=())),
    msgspec.json.encode(News(ended=("one",))),
    *(line.encode() for file in HISTORIES.glob("*.jsonl") for line in file.read_text().splitlines()[:2]),
]


@pytest.mark.parametrize("name", READERS)
def test_a_message_or_record_is_read_or_is_a_decode_error(name: str) -> None:
    @FEW
    @given(st.sampled_from(ODD) | st.binary(max_size=200) | st.sampled_from(WHOLE).flatmap(damaged))
    def try_one(data: bytes) -> None:
        with suppress(msgspec.DecodeError):
            READERS[name](data)

    try_one()


@FEW
@given(
    st.dictionaries(st.sampled_from(FIELDS), st.text(st.characters(exclude_characters="\0"), max_size=30), max_size=4)
)
def test_settings_are_read_or_named_as_wrong(variables: dict[str, str]) -> None:
    with suppress(BadSetting):
        read(variables)


@pytest.mark.parametrize("name", ["WORDYARD_SECURE_COOKIES", "WORDYARD_POSTGRES_URL", "WORDYARD_OPERATORS"])
def test_a_setting_that_is_not_utf_8_is_named(name: str) -> None:
    with pytest.raises(BadSetting, match=name):
        read({name: "\udcff"})

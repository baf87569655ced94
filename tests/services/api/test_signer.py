"""What is signed is read back, what is not is worth nothing; and strangers cannot fill our memory with it."""

import gc
import weakref
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from libs.runtime import ids
from libs.runtime.settings import Settings
from services.api.accounts.sessions import LONGEST, MOST_ALIASES, Session, Signer


@pytest.fixture
def signer() -> Signer:
    return Signer(Settings(secret_key="k" * 32))


@pytest.fixture
def session() -> Session:
    """The longest one that there is."""
    aliases = tuple(ids.new_id() for _ in range(MOST_ALIASES))
    issued = datetime(2026, 1, 15, 17, tzinfo=UTC)
    return Session(id=ids.new_id(), player=ids.new_id(), guest=False, issued=issued, aliases=aliases)


def value(signer: Signer, session: Session) -> str:
    return signer.cookie(session).split(";")[0].partition("=")[2]


def test_the_longest_session_is_read_back(signer: Signer, session: Session) -> None:
    more = replace(session, aliases=(*session.aliases, ids.new_id()))
    assert signer.read_cookie(value(signer, more)) == session
    assert signer.read_token(signer.token(more)) == session


def test_a_cookie_is_no_token_and_a_token_no_cookie(signer: Signer, session: Session) -> None:
    assert signer.read_token(f"wy_{value(signer, session)}") is None
    assert signer.read_cookie(signer.token(session).removeprefix("wy_")) is None


def test_a_cookie_that_is_changed_or_cut_anywhere_is_worth_nothing(signer: Signer, session: Session) -> None:
    cookie = value(signer, session)
    for place, letter in enumerate(cookie):
        for other in {"A", "B", chr(ord(letter) ^ 1), chr(ord(letter) + 1)} - {letter}:
            assert signer.read_cookie(cookie[:place] + other + cookie[place + 1 :]) is None
        assert signer.read_cookie(cookie[:place]) is None
        assert signer.read_cookie(cookie[:place] + "!" + cookie[place:]) is None


class Text(str):
    """A text of which one can see whether anybody still has it."""


def test_a_text_that_is_too_long_is_kept_nowhere(signer: Signer) -> None:
    seen = []
    for read in (signer.read_cookie, signer.read_token):
        text = Text("wy_" + "x" * LONGEST)
        assert read(text) is None
        seen.append(weakref.ref(text))
        del text
    gc.collect()
    assert [each() for each in seen] == [None, None]

"""A person, as far as the log knows: which guests are a part of which account."""

from datetime import timedelta

import pytest

from libs.core import facts as fact
from libs.core.games.person import PERSON as GAME
from libs.core.games.person.commands import Join
from libs.core.games.person.events import GuestJoined
from libs.core.messages import Commit
from libs.core.refusals import Reason, Refused
from tests.core.games.daily.dailies import NOON
from tests.given import given

LATER = NOON + timedelta(hours=1)
BECAME = GuestJoined(at=NOON, account="ann", guest="ann")
JOINED = GuestJoined(at=LATER, account="ann", guest="a guest")


def test_a_guest_becomes_an_account_and_others_join_it() -> None:
    given(GAME).when(Join(guest="ann"), "ann", NOON).then(BECAME)
    given(GAME, BECAME).when(Join(guest="a guest"), "ann", LATER).then(JOINED)
    assert list(GAME.facts(JOINED)) == [fact.GuestJoined(account="ann", guest="a guest")]


def test_who_has_joined_joins_no_more() -> None:
    given(GAME, BECAME, JOINED).when(Join(guest="a guest"), "ann", LATER).then()
    given(GAME, BECAME, JOINED).when(Join(guest="ann"), "ann", LATER).then()


def test_only_the_account_speaks_for_itself() -> None:
    given(GAME).when(Join(guest="a guest"), "a guest", NOON, guest=True).refused(Reason.NOT_A_PLAYER)
    given(GAME, BECAME).when(Join(guest="a guest"), "eve", NOON).refused(Reason.NOT_A_PLAYER)


def test_an_account_alone_sees_its_guests() -> None:
    state = GAME.apply(GAME.start, [BECAME, JOINED])
    assert GAME.view(state, "ann", 2).guests == ("ann", "a guest")
    with pytest.raises(Refused, match="not_a_player"):
        GAME.view(state, "eve", 2)
    with pytest.raises(Refused, match="unknown_game"):
        GAME.view(GAME.start, "ann", 0)
    with pytest.raises(Refused, match="not_ended"):
        GAME.audit([])


def commit(event: GuestJoined, key: str, by: str = "ann") -> Commit[GuestJoined]:
    return Commit(id=f"{by}:{key}", by=by, digest="", at=event.at, events=[event])


def test_an_auditor_names_what_is_wrong() -> None:
    right = [commit(BECAME, "1"), commit(JOINED, "2")]
    assert list(GAME.problems(right)) == []
    assert list(GAME.problems([*right, commit(JOINED, "3")])) == ["record 3: the guest has joined twice"]
    assert list(GAME.problems([commit(BECAME, "1", by="eve")])) == ["record 1: an account that others speak for"]

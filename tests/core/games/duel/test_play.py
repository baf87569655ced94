"""Laws that any duel obeys, whatever is tried in it, legal or not."""

import re
from datetime import timedelta

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.core.games.duel import DUEL
from libs.core.games.duel.commands import Cancel, DuelCommand, Guess, Resign, SetSecret, Wake, Withdraw
from libs.core.games.duel.events import DuelEvent
from libs.core.games.duel.state import Duel
from libs.core.messages import CLOCK, Command, Commit
from tests.core.games.duel.games import MIDNIGHT, NOON, READY, WAITING, Table

WORDS = ["crepe", "banal", "allot", "eerie", "CANAL", " table ", "zzzzz", "cat", "ſight", ""]
COMMANDS = st.one_of(
    st.builds(Guess, word=st.sampled_from(WORDS)),
    st.builds(SetSecret, secret=st.sampled_from(WORDS)),
    st.sampled_from([Resign(), Withdraw(), Cancel(), Wake()]),
)
STEPS = st.lists(
    st.tuples(COMMANDS, st.sampled_from(["ann", "bob", "eve", CLOCK]), st.integers(0, 6), st.sampled_from("abcdefgh")),
    max_size=40,
)


def play(table: Table, steps: list[tuple[Command, str, int, str]]) -> Table:
    now = NOON
    for command, by, hours, key in steps:
        now += timedelta(hours=hours / 3)
        table.ask(command, by, now, key)
    return table


@given(STEPS, st.sampled_from([READY, WAITING]))
def test_any_play_leaves_a_history_without_fault(
    steps: list[tuple[Command, str, int, str]], begin: list[DuelEvent]
) -> None:
    table = play(Table(*begin), steps)
    assert list(DUEL.problems(table.history)) == []
    assert all(len(seat.guesses) <= 6 for seat in table.state.seats)


@given(STEPS)
def test_every_record_survives_the_wire(steps: list[tuple[Command, str, int, str]]) -> None:
    record = Commit[DuelEvent]
    for commit in play(Table(*READY), steps).history:
        assert commit == msgspec.json.decode(msgspec.json.encode(commit), type=record, strict=True) or list(
            commit.events
        ) == list(msgspec.json.decode(msgspec.json.encode(commit), type=record).events)


@given(COMMANDS)
def test_every_command_decodes_from_what_it_encodes_to(command: Command) -> None:
    assert command == msgspec.json.decode(msgspec.json.encode(command), type=DuelCommand)


@settings(max_examples=200)
@given(STEPS)
def test_no_view_of_a_running_game_holds_the_others_letters(steps: list[tuple[Command, str, int, str]]) -> None:
    duel: Duel = play(Table(*READY), steps).state
    for seat, other in (duel.seats, duel.seats[::-1]):
        shown = msgspec.json.encode(DUEL.view(duel, seat.player, 1)).decode()
        if duel.ended is None:
            own = {seat.secret, *(guess.word for guess in seat.guesses)}
            hidden = {other.secret, *(guess.word for guess in other.guesses)} - own
            assert not [word for word in hidden if re.search(rf"\b{word}\b", shown)]
            assert other.salt not in shown or other.salt == seat.salt
        else:
            assert f'"{other.secret}"' in shown


def test_an_auditor_finds_what_was_forged() -> None:
    table = Table(*READY)
    for number, word in enumerate(["allot", "banal"]):
        table.ask(Guess(word=word), "ann", NOON, f"k{number}")
    table.ask(Guess(word="crepe"), "bob", NOON, "k")
    assert list(DUEL.problems(table.history)) == []
    forge = msgspec.structs.replace
    first, second, last = table.history[1:]
    for forged, finding in [
        ([first, forge(second, events=[forge(second.events[0], marks="CCCCI")]), last], "the marks are not right"),
        ([first, forge(second, id=first.id), last], "taken twice"),
        ([first, forge(second, events=[forge(second.events[0], number=3)]), last], "out of order"),
        ([first, forge(second, events=[forge(second.events[0], at=MIDNIGHT)]), last], "after the close"),
        ([first, second, forge(last, events=[last.events[0], forge(last.events[1], scores=())])], "not the one"),
        ([first, second, forge(last, events=last.events[:1])], "has not ended"),
        ([first, second, forge(last, events=[last.events[0], forge(last.events[1], at=MIDNIGHT)])], "did not end"),
        ([first, second, last, forge(last, id="bob:again")], "after the end"),
    ]:
        found = list(DUEL.problems([table.history[0], *forged]))
        assert any(finding in problem for problem in found), (finding, found)


def test_an_auditor_finds_a_game_that_was_ended_after_its_midnight() -> None:
    table = Table(*WAITING)
    table.ask(Cancel(), "bob", NOON, "k")
    assert list(DUEL.problems(table.history)) == []
    begun, ended = table.history
    late = msgspec.structs.replace(ended.events[0], at=MIDNIGHT + timedelta(seconds=1))
    found = list(DUEL.problems([begun, msgspec.structs.replace(ended, events=[late])]))
    assert any("did not end at its midnight, or before" in problem for problem in found), found

"""Every rule of the Daily, and every refusal."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from libs.core import daily
from libs.core.calendar import begin_of, close_of
from libs.core.facts import Began, Drawn, Made, Moved, Over, Seated, Solo
from libs.core.games.daily import DAILY
from libs.core.games.daily.commands import Guess, Resign, Wake
from libs.core.games.daily.events import Begun, Ended, Guessed
from libs.core.games.daily.view import OwnGuess, unplayed
from libs.core.messages import CLOCK, Asker
from libs.core.refusals import Reason, Refused
from tests.core.games.daily.dailies import (
    DAY,
    FIVE,
    MIDNIGHT,
    NOON,
    SECRET,
    SOLVED,
    after,
    begun,
    ended,
    guessed,
)
from tests.given import SEED, given

TICK = timedelta(microseconds=1)


def test_the_first_guess_makes_the_attempt() -> None:
    given(DAILY).when(Guess(word=" SLATE", day=DAY), "ann", NOON).then(begun(), guessed("slate"))
    given(DAILY).when(Guess(word="slate"), "ann", NOON).then(begun(), guessed("slate"))


def test_a_guest_is_told_by_browser_and_network_an_account_by_itself() -> None:
    def origin(*, guest: bool) -> str:
        first, _ = given(DAILY).when(Guess(word="slate"), "ann", NOON, guest=guest, origin="5f1c").decide()
        assert isinstance(first, Begun)
        return first.origin

    assert origin(guest=True) == "5f1c"
    assert origin(guest=False) == ""


def test_guesses_are_marked_against_the_word_of_the_day() -> None:
    assert SECRET.word == "quote"
    given(DAILY, begun()).when(Guess(word="eerie"), "ann", after(9)).then(
        Guessed(at=after(9), by="ann", word="eerie", marks="IIIIC", number=1)
    )


def test_everybody_has_the_same_word_and_each_day_another() -> None:
    def word(player: str, now: datetime) -> str:
        first, *_ = given(DAILY).when(Guess(word="slate"), player, now).decide()
        assert isinstance(first, Begun)
        return first.word

    assert {word(player, NOON) for player in ("ann", "bob", "eve")} == {"quote"}
    assert [word("ann", NOON + timedelta(days=day)) for day in (-1, 0, 1)] == ["miner", "quote", "vying"]


def test_the_clock_runs_from_the_first_guess_to_the_one_that_solves() -> None:
    started = (begun(), guessed("slate"), guessed("crane", 2, 8))
    given(DAILY, *started).when(Guess(word="quote"), "ann", after(41.25)).then(
        guessed("quote", 3, 41.25), ended(after(41.25), solved=True, guesses=3, elapsed_us=41_250_000)
    )


def test_solved_with_the_first_guess_is_no_time_at_all() -> None:
    given(DAILY).when(Guess(word="quote", day=DAY), "ann", NOON).then(*SOLVED)
    assert DAILY.view(DAILY.apply(DAILY.start, SOLVED), "ann", 1).elapsed_ms == 0


def test_the_sixth_guess_ends_it_and_shows_the_word() -> None:
    given(DAILY, *FIVE).when(Guess(word="geese"), "ann", after(60)).then(
        guessed("geese", 6, 60), ended(after(60), solved=False, guesses=6)
    )
    given(DAILY, *FIVE).when(Guess(word="quote"), "ann", after(60)).then(
        guessed("quote", 6, 60), ended(after(60), solved=True, guesses=6, elapsed_us=60_000_000)
    )


def test_nothing_is_guessed_after_the_end() -> None:
    given(DAILY, *SOLVED).when(Guess(word="slate"), "ann", after(1)).refused(Reason.FINISHED)
    failed = (*FIVE, guessed("geese", 6, 6), ended(after(6), solved=False, guesses=6))
    given(DAILY, *failed).when(Guess(word="quote"), "ann", after(7)).refused(Reason.FINISHED)


@pytest.mark.parametrize("word", ["", "cat", "sixers", "ſight", "sıght", "sight\u212a", "ｓｉｇｈｔ", "ﬁxes", "сrepe"])
def test_what_only_looks_like_five_letters_is_refused_and_starts_nothing(word: str) -> None:
    given(DAILY).when(Guess(word=word), "ann", NOON).refused(Reason.LETTERS)
    given(DAILY, *FIVE).when(Guess(word=word), "ann", NOON).refused(Reason.LETTERS)


def test_a_guess_must_be_a_word_and_starts_no_clock_if_it_is_none() -> None:
    given(DAILY).when(Guess(word="zzzzz"), "ann", NOON).refused(Reason.UNKNOWN_WORD)


@pytest.mark.parametrize("day", [date(2026, 1, 14), date(2026, 1, 16), date(2025, 1, 15), date(9999, 12, 31)])
def test_a_guess_for_another_day_is_refused_and_never_taken_for_this_one(day: date) -> None:
    given(DAILY).when(Guess(word="quote", day=day), "ann", NOON).refused(Reason.CLOSED)
    given(DAILY, *FIVE).when(Guess(word="quote", day=day), "ann", NOON).refused(Reason.CLOSED)


def test_a_day_is_played_to_the_last_microsecond_before_midnight() -> None:
    last = MIDNIGHT - TICK
    assert len(given(DAILY).when(Guess(word="slate", day=DAY), "ann", last).decide()) == 2
    assert len(given(DAILY, *FIVE).when(Guess(word="geese", day=DAY), "ann", last).decide()) == 2
    given(DAILY).when(Guess(word="slate", day=DAY), "ann", MIDNIGHT).refused(Reason.CLOSED)
    given(DAILY, *FIVE).when(Guess(word="geese", day=DAY), "ann", MIDNIGHT).refused(Reason.CLOSED)
    given(DAILY, *FIVE).when(Guess(word="geese"), "ann", MIDNIGHT).refused(Reason.CLOSED)
    given(DAILY, *SOLVED).when(Guess(word="geese"), "ann", MIDNIGHT).refused(Reason.CLOSED)


@pytest.mark.parametrize(
    ("day", "begins", "closes", "hours"),
    [
        (date(2026, 1, 15), "2026-01-15T05:00Z", "2026-01-16T05:00Z", 24),
        (date(2026, 3, 8), "2026-03-08T05:00Z", "2026-03-09T04:00Z", 23),  # the clock is put forward
        (date(2026, 11, 1), "2026-11-01T04:00Z", "2026-11-02T05:00Z", 25),  # and back
    ],
)
def test_a_day_is_from_midnight_to_midnight_in_new_york_whatever_its_length(
    day: date, begins: str, closes: str, hours: int
) -> None:
    begin, close = datetime.fromisoformat(begins), datetime.fromisoformat(closes)
    assert (begin_of(day), close_of(day), (close - begin) / timedelta(hours=1)) == (begin, close, hours)
    for moment in (begin, close - TICK):
        first, *_ = given(DAILY).when(Guess(word="slate", day=day), "ann", moment).decide()
        assert isinstance(first, Begun)
        assert (first.day, first.closes_at) == (day, close)
    for moment in (begin - TICK, close):
        given(DAILY).when(Guess(word="slate", day=day), "ann", moment).refused(Reason.CLOSED)


def test_midnight_closes_an_unfinished_attempt_whenever_it_is_noticed() -> None:
    closed = ended(MIDNIGHT, solved=False, guesses=5)
    given(DAILY, *FIVE).when(Wake(), CLOCK, MIDNIGHT).then(closed)
    given(DAILY, *FIVE).when(Wake(), CLOCK, MIDNIGHT + timedelta(hours=9)).then(closed)
    given(DAILY, *FIVE).when(Wake(), CLOCK, MIDNIGHT - TICK).then()
    given(DAILY, *FIVE, closed).when(Wake(), CLOCK, MIDNIGHT).then()
    given(DAILY, *SOLVED).when(Wake(), CLOCK, MIDNIGHT).then()
    given(DAILY).when(Wake(), CLOCK, MIDNIGHT).then()


def test_it_is_due_at_midnight_as_long_as_it_is_not_over() -> None:
    assert DAILY.standing(DAILY.apply(DAILY.start, FIVE)).due == MIDNIGHT
    over = DAILY.standing(DAILY.apply(DAILY.start, SOLVED))
    assert (over.due, over.ended, over.players, over.chat_until) == (None, True, ("ann",), None)


def test_an_attempt_belongs_to_its_player_alone() -> None:
    given(DAILY, *FIVE).when(Guess(word="quote"), "eve", NOON).refused(Reason.NOT_A_PLAYER)
    given(DAILY, *FIVE).when(Resign(), "eve", NOON).refused(Reason.NOT_A_PLAYER)
    given(DAILY, *FIVE).when(Wake(), "ann", MIDNIGHT).refused(Reason.NOT_A_PLAYER)
    with pytest.raises(Refused, match="not_a_player"):
        DAILY.view(DAILY.apply(DAILY.start, FIVE), "eve", 1)


def test_there_is_no_resigning_in_the_daily() -> None:
    given(DAILY, *FIVE).when(Resign(), "ann", NOON).refused(Reason.NOT_POSSIBLE)
    given(DAILY).when(Resign(), "ann", NOON).refused(Reason.UNKNOWN_GAME)


def test_without_the_key_or_before_the_first_day_there_is_no_daily() -> None:
    guess = Guess(word="slate")
    with pytest.raises(Refused, match="not_possible"):
        DAILY.decide(DAILY.start, guess, Asker(by="ann", seed=SEED), NOON)
    given(DAILY).when(guess, "ann", datetime(2025, 12, 31, 17, tzinfo=UTC)).refused(Reason.CLOSED)


def seen(*events: Any) -> Any:
    return DAILY.view(DAILY.apply(DAILY.start, events), "ann", len(events))


def test_a_view_shows_the_guesses_and_the_word_only_at_the_end() -> None:
    view = seen(*FIVE)
    assert (view.state, view.day, view.closes_at, view.elapsed_ms, view.word) == ("open", DAY, MIDNIGHT, None, None)
    assert view.commitment == SECRET.commitment
    assert view.guesses[0] == OwnGuess(word="slate", marks="IIICC", at=NOON)
    assert b"quote" not in msgspec.json.encode(view)


@pytest.mark.parametrize(
    ("events", "state"),
    [
        (SOLVED, "solved"),
        ((*FIVE, guessed("geese", 6, 6), ended(after(6), solved=False, guesses=6)), "failed"),
        ((*FIVE, ended(MIDNIGHT, solved=False, guesses=5)), "closed"),
    ],
)
def test_the_end_shows_the_word(events: Any, state: str) -> None:
    assert (seen(*events).state, seen(*events).word) == (state, "quote")


def test_before_the_first_guess_there_is_an_empty_board_with_the_same_id() -> None:
    fresh = unplayed("ann", DAY, SECRET.commitment, None, over=False)
    assert (fresh.id, fresh.version, fresh.state, fresh.guesses, fresh.word) == (begun().game, 0, "open", (), None)
    late = unplayed("ann", DAY, SECRET.commitment, "quote", over=True)
    assert (late.state, late.word) == ("closed", "quote")


def test_ids_follow_from_player_and_day_and_sort_by_day() -> None:
    some = [daily.attempt_id(player, DAY + timedelta(days=day)) for day in range(3) for player in ("ann", "bob")]
    assert len(set(some)) == 6
    assert [text[:13] for text in some] == sorted(text[:13] for text in some)
    assert all((UUID(text).version, UUID(text).variant) == (7, "specified in RFC 4122") for text in some)
    assert daily.attempt_id("ann", DAY) == "019bc006-5880-7346-8614-c823c80bbfb4"
    assert daily.day_id(DAY) == "019bc006-5880-788f-8712-da66a8fd1ae6"


def test_the_end_is_told_in_facts() -> None:
    facts = [fact for event in SOLVED for fact in DAILY.facts(event)]
    assert facts == [
        Made(maker="ann", keyed=False),
        Seated(player="ann", seat=0, guest=False),
        Began(day=DAY, closes_at=MIDNIGHT, rivals=False),
        Drawn(day=DAY, word="quote", commitment=SECRET.commitment),
        Moved(player="ann", number=1, solved=True, finished=True),
        Over(scores=()),
        Solo(
            day=DAY,
            player="ann",
            guest=False,
            origin="",
            guesses=1,
            solved=True,
            finished=True,
            elapsed_us=0,
            finished_at=NOON,
        ),
    ]


@pytest.mark.parametrize(
    ("end", "finished"),
    [(ended(MIDNIGHT, solved=False, guesses=5), False), (ended(after(6), solved=False, guesses=6), True)],
)
def test_what_midnight_closed_is_not_finished(end: Ended, finished: bool) -> None:
    (told,) = [fact for fact in DAILY.facts(end) if isinstance(fact, Solo)]
    assert (told.finished, told.solved, told.elapsed_us) == (finished, False, None)

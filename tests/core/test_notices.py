"""Which events are told to whom, when midnight is near, and that every language says it."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest

from libs.core.calendar import close_of
from libs.core.facts import Announced, Began, Drawn, Fact, Made, Moved, Over, Seated, Solo
from libs.core.notices.occasions import OCCASIONS, OLDEST, Notice, concerns, nearing, notices, oldest_game
from libs.core.notices.sentences import catalog, languages, mail, told

DAY = date(2026, 1, 15)
NOON = datetime(2026, 1, 15, 17, tzinfo=UTC)
CLOSE = close_of(DAY)

MADE = Made(maker="ann", expires_at=NOON + timedelta(days=7))
ANN, BOB = Seated(player="ann", seat=0, guest=False), Seated(player="bob", seat=1, guest=False)
BEGAN = Began(day=DAY, closes_at=CLOSE, rivals=True)


def moved(player: str, *, finished: bool) -> Moved:
    return Moved(player=player, number=3, solved=finished, finished=finished)


def found(before: list[Fact], *now: Fact, by: str = "bob") -> list[tuple[str, str, str]]:
    made = list(notices(before, [(NOON, fact) for fact in now], by))
    assert {(notice.at, notice.until) for notice in made} <= {(NOON, CLOSE)}
    return [(notice.occasion, notice.seat, notice.other) for notice in made]


def test_taking_an_invite_is_told_to_its_maker() -> None:
    assert found([MADE, ANN], BOB, BEGAN) == [("invite_taken", "ann", "bob")]


def test_making_todays_game_is_told_to_the_rival() -> None:
    rival = Made(maker="ann")
    assert found([], rival, ANN, BOB, BEGAN, by="ann") == [("rival_started", "bob", "ann")]


def test_an_invite_that_waits_is_told_to_nobody() -> None:
    assert found([], MADE, ANN, by="ann") == []
    assert not concerns([MADE, ANN])


def test_only_the_last_guess_is_told() -> None:
    before = [MADE, ANN, BOB, BEGAN]
    assert found(before, moved("bob", finished=False)) == []
    assert found(before, moved("bob", finished=True)) == [("opponent_finished", "ann", "bob")]
    assert not concerns([moved("bob", finished=False)])


def test_who_plays_alone_has_nobody_to_tell() -> None:
    assert found([], Made(maker="ann", keyed=False), ANN, BEGAN, by="ann") == []
    assert not concerns([MADE, ANN, BEGAN, Drawn(day=DAY, word="crane", commitment="")])
    solo = Solo(
        day=DAY, player="ann", guest=False, origin="", guesses=3, solved=True, finished=True, elapsed_us=1,
        finished_at=NOON,
    )  # fmt: skip
    assert not concerns([moved("ann", finished=True), Over(scores=()), solo])
    assert not concerns([Announced(day=DAY, commitment="")])


@pytest.mark.parametrize(
    ("now", "late"),
    [
        (NOON, False),
        (NOON + OLDEST, False),
        (NOON + OLDEST + timedelta(microseconds=1), True),
        (CLOSE, True),
    ],
)
def test_what_is_an_hour_old_is_not_told(now: datetime, late: bool) -> None:
    notice = Notice(occasion="invite_taken", seat="ann", other="bob", at=NOON, until=CLOSE)
    assert notice.is_late(now) is late


def test_what_happened_just_before_midnight_is_not_told_after_it() -> None:
    notice = Notice(occasion="opponent_finished", seat="ann", other="bob", at=CLOSE - timedelta(seconds=1), until=CLOSE)
    assert notice.is_late(CLOSE)
    assert not notice.is_late(CLOSE - timedelta(microseconds=1))


@pytest.mark.parametrize("day", [date(2026, 3, 8), date(2026, 11, 1), date(2026, 7, 4)], ids=["23 h", "25 h", "24 h"])
def test_the_last_hour_is_that_of_the_eastern_day(day: date) -> None:
    close = close_of(day)
    assert nearing(close - timedelta(hours=1, microseconds=1)) is None
    assert nearing(close - timedelta(hours=1)) == day
    assert nearing(close - timedelta(minutes=5)) == day
    assert nearing(close - timedelta(minutes=5) + timedelta(microseconds=1)) is None
    assert nearing(close) is None


def test_the_last_hour_of_the_day_on_which_clocks_go_back_begins_at_four_utc() -> None:
    assert nearing(datetime(2026, 11, 2, 3, 59, 59, tzinfo=UTC)) is None
    assert nearing(datetime(2026, 11, 2, 4, tzinfo=UTC)) == date(2026, 11, 1)


def test_no_game_of_a_day_has_a_lower_id() -> None:
    bound = oldest_game(DAY)
    made = (bound.int >> 80) / 1000
    invited = (close_of(DAY - timedelta(days=1)) - timedelta(days=7)).timestamp()
    assert invited - 2 * 3600 < made < invited


def test_every_language_has_every_sentence_with_its_holes() -> None:
    assert len(languages()) == 13
    keys = {f"{occasion}.{part}" for occasion in OCCASIONS for part in ("title", "text")}
    english = catalog("en")
    assert set(english) == keys | {"mail.greeting", "mail.stop"}
    for language in languages():
        texts = catalog(language)
        assert list(texts) == list(english), language
        for key, sentence in texts.items():
            assert re.findall(r"\{\w*\}", sentence) == re.findall(r"\{\w*\}", english[key]), (language, key)
            assert sentence.strip() == sentence
            assert language == "en" or sentence != english[key], (language, key)


def test_a_name_is_put_in_by_the_letter() -> None:
    assert told("de", "opponent_finished", "Bob{name}").title == "Bob{name} ist fertig"


def test_a_language_that_we_do_not_speak_is_told_in_english() -> None:
    assert told("xx", "last_hour") == told("en", "last_hour")


def test_a_mail_leads_to_the_game_and_to_its_end() -> None:
    body = mail("en", told("en", "invite_taken", "Bob"), "https://w.example/game/1", "https://w.example/unsubscribe/2")
    assert body.splitlines()[2].startswith("Bob has taken your invite. ")
    assert "\nhttps://w.example/game/1\n" in body
    assert body.endswith("\nhttps://w.example/unsubscribe/2\n")

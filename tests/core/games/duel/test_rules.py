"""Every rule of the Duel, and every refusal."""

from datetime import timedelta

import pytest

from libs.core import lexicon
from libs.core.commitments import commit_to, salt_from
from libs.core.games.duel import DUEL
from libs.core.games.duel.commands import Accept, Cancel, Guess, Open, Resign, SetSecret, Wake, Withdraw
from libs.core.games.duel.events import (
    Ended,
    Expired,
    Guessed,
    Joined,
    Opened,
    Score,
    SecretSet,
    Started,
    Withdrawn,
    claims,
)
from libs.core.messages import CLOCK, Commit
from libs.core.refusals import Reason, Refused
from tests.core.games.duel.games import (
    BOB,
    ID,
    INVITE,
    MIDNIGHT,
    NOON,
    READY,
    WAITING,
    after,
    opened,
    secret,
    started,
)
from tests.given import SEED, given

SALT = salt_from(SEED, "secret")
WEEK = timedelta(days=7)


def guessed(by: str, word: str, marks: str, number: int = 1, at: float = 0) -> Guessed:
    return Guessed(at=after(at), by=by, word=word, marks=marks, number=number)


def test_a_rivals_game_starts_when_it_is_made() -> None:
    given(DUEL).when(Open(game=ID, secret="Crepe", rival="bob"), "ann", NOON).then(
        opened(),
        SecretSet(at=NOON, by="ann", word="crepe", salt=SALT, commitment=commit_to("crepe", SALT)),
        BOB,
        started(),
    )


def test_an_invite_waits_for_seven_days() -> None:
    given(DUEL).when(Open(game=ID, secret="crepe"), "ann", NOON, guest=True).then(
        Opened(
            at=NOON,
            game=ID,
            maker="ann",
            guest=True,
            words=lexicon.newest().edition,
            expires_at=NOON + WEEK,
        ),
        SecretSet(at=NOON, by="ann", word="crepe", salt=SALT, commitment=commit_to("crepe", SALT)),
    )


def test_an_invite_game_starts_when_it_is_accepted() -> None:
    late = NOON + timedelta(days=3)
    given(DUEL, *INVITE).when(Accept(secret="banal"), "bob", late, guest=True).then(
        Joined(at=late, player="bob", guest=True),
        SecretSet(at=late, by="bob", word="banal", salt=SALT, commitment=commit_to("banal", SALT)),
        started(late, rivals=False),
    )


@pytest.mark.parametrize(
    ("secret", "reason"),
    [
        (None, Reason.SECRET_REQUIRED),
        ("cat", Reason.LETTERS),
        ("crepé", Reason.LETTERS),
        ("tires", Reason.NOT_A_SECRET),
        ("zzzzz", Reason.NOT_A_SECRET),
    ],
)
def test_a_secret_is_a_word_of_the_list(secret: str | None, reason: Reason) -> None:
    given(DUEL).when(Open(game=ID, secret=secret), "ann", NOON).refused(reason)
    given(DUEL, *INVITE).when(Accept(secret=secret), "bob", NOON).refused(reason)
    if secret is not None:
        given(DUEL, *WAITING).when(SetSecret(secret=secret), "bob", NOON).refused(reason)


def test_nobody_plays_against_themselves() -> None:
    given(DUEL).when(Open(game=ID, secret="crepe", rival="ann"), "ann", NOON).refused(Reason.NOT_POSSIBLE)
    given(DUEL, *INVITE).when(Accept(secret="banal"), "ann", NOON).refused(Reason.OWN_INVITE)


def test_a_game_is_opened_once() -> None:
    given(DUEL, *READY).when(Open(game=ID, secret="crepe"), "ann", NOON).refused(Reason.NOT_POSSIBLE)


def test_an_invite_can_be_taken_until_the_last_microsecond() -> None:
    last = NOON + WEEK - timedelta(microseconds=1)
    assert len(given(DUEL, *INVITE).when(Accept(secret="banal"), "bob", last).decide()) == 3
    given(DUEL, *INVITE).when(Accept(secret="banal"), "bob", NOON + WEEK).refused(Reason.INVITE_EXPIRED)


def test_used_withdrawn_expired_and_unknown_invites_are_told_apart() -> None:
    used = (*INVITE, BOB, secret("bob", "banal"), started())
    take = Accept(secret="banal")
    given(DUEL, *used).when(take, "cat", NOON).refused(Reason.INVITE_USED)
    given(DUEL, *INVITE, Withdrawn(at=NOON)).when(take, "bob", NOON).refused(Reason.INVITE_WITHDRAWN)
    given(DUEL, *INVITE, Expired(at=NOON + WEEK)).when(take, "bob", NOON + WEEK).refused(Reason.INVITE_EXPIRED)
    given(DUEL).when(take, "bob", NOON).refused(Reason.UNKNOWN_INVITE)
    given(DUEL, *READY).when(take, "cat", NOON).refused(Reason.UNKNOWN_INVITE)


def test_only_its_maker_withdraws_an_invite() -> None:
    given(DUEL, *INVITE).when(Withdraw(), "ann", after(1)).then(Withdrawn(at=after(1)))
    given(DUEL, *INVITE).when(Withdraw(), "bob", NOON).refused(Reason.NOT_THE_MAKER)
    given(DUEL, *INVITE, Withdrawn(at=NOON)).when(Withdraw(), "ann", NOON).refused(Reason.INVITE_WITHDRAWN)


def test_nobody_guesses_before_both_secrets_are_set() -> None:
    given(DUEL, *WAITING).when(Guess(word="allot"), "ann", NOON).refused(Reason.TOO_EARLY)
    given(DUEL, *INVITE).when(Guess(word="allot"), "ann", NOON).refused(Reason.TOO_EARLY)


def test_a_secret_never_changes() -> None:
    given(DUEL, *WAITING).when(SetSecret(secret="banal"), "ann", NOON).refused(Reason.SECRET_SET)
    given(DUEL, *WAITING).when(SetSecret(secret="banal"), "bob", after(1)).then(
        SecretSet(at=after(1), by="bob", word="banal", salt=SALT, commitment=commit_to("banal", SALT))
    )


def test_a_guess_is_marked_against_the_others_secret() -> None:
    given(DUEL, *READY).when(Guess(word=" EERIE"), "bob", NOON).then(guessed("bob", "eerie", "RIRIC"))
    given(DUEL, *READY).when(Guess(word="allot"), "ann", NOON).then(guessed("ann", "allot", "RRIII"))


@pytest.mark.parametrize("word", ["", "cat", "sixers", "ſight", "sıght", "sight\u212a", "ｓｉｇｈｔ", "ﬁxes", "сrepe"])
def test_what_only_looks_like_five_letters_is_refused(word: str) -> None:
    given(DUEL, *READY).when(Guess(word=word), "ann", NOON).refused(Reason.LETTERS)


def test_a_guess_must_be_a_word() -> None:
    given(DUEL, *READY).when(Guess(word="zzzzz"), "ann", NOON).refused(Reason.UNKNOWN_WORD)


def test_strangers_are_refused() -> None:
    given(DUEL, *READY).when(Guess(word="allot"), "eve", NOON).refused(Reason.NOT_A_PLAYER)
    given(DUEL, *WAITING).when(SetSecret(secret="banal"), "eve", NOON).refused(Reason.NOT_A_PLAYER)
    given(DUEL, *READY).when(Resign(), "eve", NOON).refused(Reason.NOT_A_PLAYER)
    given(DUEL).when(Guess(word="allot"), "ann", NOON).refused(Reason.UNKNOWN_GAME)


def test_there_is_no_resigning_in_a_duel() -> None:
    given(DUEL, *READY).when(Resign(), "ann", NOON).refused(Reason.NOT_POSSIBLE)


def test_the_last_to_finish_ends_the_game() -> None:
    solved = (*READY, guessed("ann", "banal", "CCCCC"))
    given(DUEL, *solved).when(Guess(word="crepe"), "bob", after(9)).then(
        guessed("bob", "crepe", "CCCCC", at=9),
        Ended(
            at=after(9),
            scores=(
                Score(player="ann", outcome="draw", guesses=1, solved=True),
                Score(player="bob", outcome="draw", guesses=1, solved=True),
            ),
        ),
    )


def test_midnight_closes_the_game_whenever_it_is_noticed() -> None:
    played = (*READY, guessed("ann", "banal", "CCCCC"))
    ended = Ended(
        at=MIDNIGHT,
        scores=(
            Score(player="ann", outcome="win", guesses=1, solved=True),
            Score(player="bob", outcome="loss", guesses=0, solved=False),
        ),
    )
    given(DUEL, *played).when(Wake(), CLOCK, MIDNIGHT + timedelta(hours=9)).then(ended)
    given(DUEL, *played).when(Wake(), CLOCK, MIDNIGHT).then(ended)
    given(DUEL, *played).when(Wake(), CLOCK, MIDNIGHT - timedelta(microseconds=1)).then()
    given(DUEL, *played, ended).when(Wake(), CLOCK, MIDNIGHT).then()


def test_nothing_can_be_done_after_midnight() -> None:
    given(DUEL, *READY).when(Guess(word="allot"), "ann", MIDNIGHT).refused(Reason.CLOSED)
    given(DUEL, *WAITING).when(SetSecret(secret="banal"), "bob", MIDNIGHT).refused(Reason.CLOSED)


def test_a_game_that_waits_for_a_word_is_ended_by_either_and_does_not_count() -> None:
    uncounted = tuple(Score(player=who, outcome="not_counted", guesses=0, solved=False) for who in ("ann", "bob"))
    ended = Ended(at=after(1), scores=uncounted)
    for who in ("ann", "bob"):
        given(DUEL, *WAITING).when(Cancel(), who, after(1)).then(ended)
    for command in (SetSecret(secret="banal"), Guess(word="allot"), Cancel()):
        given(DUEL, *WAITING, ended).when(command, "bob", after(2)).refused(Reason.CLOSED)
    given(DUEL, *WAITING, ended).when(Wake(), CLOCK, MIDNIGHT).then()


def test_a_game_that_is_on_is_not_ended_by_wishing_so() -> None:
    given(DUEL, *READY).when(Cancel(), "ann", NOON).refused(Reason.NOT_POSSIBLE)
    given(DUEL, *INVITE).when(Cancel(), "ann", NOON).refused(Reason.NOT_POSSIBLE)
    given(DUEL, *WAITING).when(Cancel(), "eve", NOON).refused(Reason.NOT_A_PLAYER)
    given(DUEL, *WAITING).when(Cancel(), "ann", MIDNIGHT).refused(Reason.CLOSED)


def test_an_untaken_invite_expires_when_the_clock_says_so() -> None:
    given(DUEL, *INVITE).when(Wake(), CLOCK, NOON + WEEK).then(Expired(at=NOON + WEEK))
    given(DUEL, *INVITE).when(Wake(), CLOCK, NOON + WEEK - timedelta(seconds=1)).then()
    given(DUEL, *INVITE, Withdrawn(at=NOON)).when(Wake(), CLOCK, NOON + WEEK).then()


def test_only_the_clock_wakes_a_game() -> None:
    given(DUEL, *READY).when(Wake(), "ann", MIDNIGHT).refused(Reason.NOT_A_PLAYER)


def test_a_start_claims_the_day_for_two_rivals_in_either_order() -> None:
    swapped = Started(at=NOON, day=started().day, closes_at=MIDNIGHT, players=("bob", "ann"), rivals=True)
    assert list(claims(started())) == ["pair:duel:ann:bob:2026-01-15"]
    assert list(claims(swapped)) == ["pair:duel:ann:bob:2026-01-15"]
    assert list(claims(started(rivals=False))) == []


def test_chat_is_open_from_the_second_secret_to_midnight_even_after_the_end() -> None:
    def chat_until(*events: object) -> object:
        return DUEL.standing(DUEL.apply(DUEL.start, events)).chat_until  # type: ignore[arg-type]

    both = (*READY, guessed("ann", "banal", "CCCCC"), guessed("bob", "crepe", "CCCCC"), Ended(at=NOON, scores=()))
    assert chat_until(*WAITING) is None
    assert chat_until(*READY) == MIDNIGHT
    assert chat_until(*both) == MIDNIGHT


def test_an_audit_before_the_end_is_refused() -> None:
    with pytest.raises(Refused, match="not_ended"):
        DUEL.audit([])


def test_an_invite_that_came_to_nothing_has_no_audit() -> None:
    events = [*WAITING, Withdrawn(at=NOON)]
    commit = Commit(id="ann:1", by="ann", digest="", at=NOON, events=events)
    with pytest.raises(Refused, match="not_possible"):
        DUEL.audit([commit])

"""Practice: six guesses at one secret, marked as in the Duel, and what its player may see of it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.core import lexicon
from libs.core.marks import mark
from libs.core.practice import Practice, guess, view
from libs.core.refusals import Reason, Refused

SECRET = "crepe"
EDITION = lexicon.newest().edition
GUESSES = sorted(lexicon.newest().guesses)
CASES = json.loads((Path(__file__).parents[1] / "vectors" / "marks.json").read_text())["cases"]


def game(*guesses: str, secret: str = SECRET) -> Practice:
    return Practice(words=EDITION, secret=secret, guesses=guesses)


def refusal(of: Practice, word: str) -> Reason:
    with pytest.raises(Refused) as caught:
        guess(of, word)
    return caught.value.reason


def test_a_game_begins_with_nothing_to_see() -> None:
    seen = view(game())
    assert (seen.guesses, seen.state, seen.word) == ((), "open", None)


def test_a_guess_is_marked_and_the_word_kept_back() -> None:
    seen = view(guess(game(), " EERIE\t"))
    assert [(one.word, one.marks) for one in seen.guesses] == [("eerie", "RIRIC")]
    assert (seen.state, seen.word) == ("open", None)


def test_every_vector_is_marked_as_it_should_be() -> None:
    assert len(CASES) == 232
    for case in CASES:
        [seen] = view(game(case["guess"], secret=case["secret"])).guesses
        assert (seen.word, seen.marks) == (case["guess"], case["marks"])


def test_found_at_the_first_guess() -> None:
    seen = view(guess(game(), "crepe"))
    assert (seen.guesses[0].marks, seen.state, seen.word) == ("CCCCC", "solved", "crepe")


def test_found_at_the_sixth_guess() -> None:
    before = game(*["allot"] * 5)
    assert (view(before).state, view(before).word) == ("open", None)
    seen = view(guess(before, "crepe"))
    assert (len(seen.guesses), seen.state, seen.word) == (6, "solved", "crepe")


def test_six_guesses_without_the_word_fail_and_show_it() -> None:
    seen = view(guess(game(*["allot"] * 5), "sassy"))
    assert (len(seen.guesses), seen.state, seen.word) == (6, "failed", "crepe")


def test_the_same_word_can_be_guessed_twice() -> None:
    assert guess(game("allot"), "allot").guesses == ("allot", "allot")


def test_what_is_no_word_costs_nothing() -> None:
    assert refusal(game(), "cran") is Reason.LETTERS
    assert refusal(game(), "cr\u0430ne") is Reason.LETTERS
    assert refusal(game(), "zzzzz") is Reason.UNKNOWN_WORD


def test_a_game_that_is_over_takes_no_guess_whatever_it_is() -> None:
    for over in (game("crepe"), game(*["allot"] * 6)):
        for word in ("crepe", "zzzzz", ""):
            assert refusal(over, word) is Reason.FINISHED


def test_a_game_keeps_the_lists_it_began_with() -> None:
    with pytest.raises(LookupError):
        guess(Practice(words="none such", secret="crepe"), "crepe")


@given(st.sampled_from(lexicon.newest().secrets), st.lists(st.sampled_from(GUESSES), max_size=8))
def test_any_game_is_played_to_its_end_and_no_further(secret: str, words: list[str]) -> None:
    played = game(secret=secret)
    for word in words:
        if view(played).state == "open":
            played = guess(played, word)
        else:
            assert refusal(played, word) is Reason.FINISHED
    seen = view(played)
    counted = words[: words.index(secret) + 1][:6] if secret in words else words[:6]
    assert [(one.word, one.marks) for one in seen.guesses] == [(word, mark(word, secret)) for word in counted]
    assert seen.state == ("solved" if secret in counted else "failed" if len(words) >= 6 else "open")
    assert seen.word == (None if seen.state == "open" else secret)

"""Practice tokens: whole games come back, nothing can be read or changed, and no length tells anything."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from libs.core import lexicon
from libs.core.practice import Practice
from services.api.practice_tokens import PracticeTokens
from services.api.problems import Problem

EDITION = lexicon.newest().edition
TOKENS = PracticeTokens("a key of ours, with 32 characters")
LONG_AGO = "AbzS6blQRbwSrpA4xtr6CK3ZcFUCMN582bPwnCjyl43vqjZIrB105nttq2jjp4D7B1RNYQ6eUNTyR9w8wyMN8OIpKbLrM6bB"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

words = st.sampled_from(sorted(lexicon.newest().guesses))
games = st.builds(
    Practice,
    words=st.sampled_from(lexicon.editions()),
    secret=st.sampled_from(lexicon.newest().secrets),
    guesses=st.lists(words, max_size=6).map(tuple),
)
GAME = Practice(words=EDITION, secret="crepe", guesses=("eerie", "allot"))


def refused(token: str, tokens: PracticeTokens = TOKENS) -> bool:
    try:
        tokens.open(token)
    except Problem as problem:
        return problem.code == "practice_token"
    return False


@given(games)
def test_a_game_comes_back_as_it_was(game: Practice) -> None:
    assert TOKENS.open(TOKENS.seal(game)) == game


@given(games)
def test_every_token_has_96_characters_that_fit_into_an_address(game: Practice) -> None:
    token = TOKENS.seal(game)
    assert len(token) == 96
    assert set(token) <= set(ALPHABET)


@given(games)
def test_no_word_can_be_read_from_a_token(game: Practice) -> None:
    raw = urlsafe_b64decode(TOKENS.seal(game)).lower()
    assert not [word for word in (game.secret, *game.guesses) if word.encode() in raw]


def test_the_same_game_is_sealed_differently_each_time() -> None:
    """Whoever sees two tokens does not learn that they are of one game."""
    tokens = {TOKENS.seal(GAME) for _ in range(100)}
    assert len(tokens) == 100
    sealed = [urlsafe_b64decode(token)[13:] for token in tokens]
    assert len({part[start : start + 8] for part in sealed for start in range(0, 56, 8)}) == 100 * 7


def test_any_flipped_bit_is_refused() -> None:
    raw = urlsafe_b64decode(TOKENS.seal(GAME))
    assert len(raw) * 8 == 576
    for bit in range(576):
        forged = bytearray(raw)
        forged[bit // 8] ^= 1 << bit % 8
        assert refused(urlsafe_b64encode(forged).decode()), bit


@given(games, st.integers(0, 95), st.characters())
def test_any_other_character_is_refused(game: Practice, place: int, character: str) -> None:
    token = TOKENS.seal(game)
    assume(token[place] != character)
    assert refused(token[:place] + character + token[place + 1 :])


@given(games, games, st.integers(1, 95))
def test_a_token_spliced_from_two_is_refused(one: Practice, other: Practice, cut: int) -> None:
    first, second = TOKENS.seal(one), TOKENS.seal(other)
    spliced = first[:cut] + second[cut:]
    assume(spliced not in (first, second))
    assert refused(spliced)


def test_blocks_of_one_token_cannot_change_places() -> None:
    raw = urlsafe_b64decode(TOKENS.seal(GAME))
    for block in (4, 5, 8, 16):
        parts = [raw[at : at + block] for at in range(0, len(raw), block)]
        for at in range(len(parts) - 1):
            moved = [*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]]
            assert refused(urlsafe_b64encode(b"".join(moved)).decode())


@pytest.mark.parametrize("length", range(96))
def test_a_token_that_was_cut_short_is_refused(length: int) -> None:
    token = TOKENS.seal(GAME)
    assert refused(token[:length])
    assert refused(token[-length:] if length else "")


def test_a_token_with_anything_beside_it_is_refused() -> None:
    token = TOKENS.seal(GAME)
    for more in ("A", "=", " ", "\n", "\0", token):
        assert refused(token + more)
        assert refused(more + token)


@given(st.text(max_size=200))
def test_what_was_never_a_token_is_refused(text: str) -> None:
    assert refused(text)


@given(st.binary(min_size=72, max_size=72))
def test_chance_is_no_token(raw: bytes) -> None:
    assert refused(urlsafe_b64encode(b"\1" + raw[1:]).decode())


def test_the_other_alphabet_of_base64_is_refused() -> None:
    """One game has one spelling."""
    token = next(token for token in iter(lambda: TOKENS.seal(GAME), None) if "-" in token and "_" in token)
    assert refused(token.replace("-", "+"))
    assert refused(token.replace("_", "/"))


def test_a_token_of_another_key_is_refused() -> None:
    assert refused(PracticeTokens("a key of others, 32 characters long").seal(GAME))


def test_keys_can_change() -> None:
    """The newest key seals; games that were sealed with an older one play on while that is still among the keys."""
    older, newer = "an older key, 32 characters long", "a newer key, 32 characters long"
    before, between, after = PracticeTokens(older), PracticeTokens(newer, older), PracticeTokens(newer)
    assert between.open(before.seal(GAME)) == GAME
    assert after.open(between.seal(GAME)) == GAME
    assert refused(before.seal(GAME), after)
    assert refused(after.seal(GAME), before)


def test_a_game_of_an_edition_that_is_not_here_is_refused() -> None:
    assert refused(TOKENS.seal(Practice(words="00000000", secret="crepe")))


def test_every_edition_has_a_name_that_fits() -> None:
    assert {len(name) for name in lexicon.editions()} == {8}


def test_a_token_that_was_sealed_long_ago_is_opened() -> None:
    """The form is fixed: what players carry must be read by every later release, or have another version."""
    assert TOKENS.open(LONG_AGO) == Practice(words="55b48d48", secret="crepe", guesses=("eerie", "allot"))

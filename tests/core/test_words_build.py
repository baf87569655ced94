"""The word lists as committed: their hashes, and what must always be true of them."""

from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import Struct, json

from libs.core import lexicon
from services.cli.words_build import Edition, Manifest, edition_name, hand_written, load, text, write
from services.cli.words_recipe import HandWritten, fives
from services.cli.words_sources import PACKAGES

FOLDER = Path(str(files("libs.core"))) / "words"
FIRST = "55b48d48"
FIVES = ("enable5", "guesses", "secrets", "isograms")
LISTS = {
    "enable": (172_820, "f32e6fbdc4cf9c8ec1d992193d7ac33e773fc850ba47ebe2c791ab9d61913d49"),
    "enable5": (8_636, "7e61927ebc2212faf51e8b050cf9d852dea3cfeb46d20a36fa3f46c9cd31e29d"),
    "guesses": (9_090, "80ed75cdb478a299a61cd7183ce081a3cd4940c46d27f0c4b58231b1cbfdba57"),
    "secrets": (2_027, "59319bed7d5e54ad96c5a10a18affc3ff398542f2d00e18a13023d1cc89d885b"),
    "isograms": (1_378, "de544d04236f9aaa93f3b4b6b7807e213793a6046ab27b681c0b94518e194eac"),
}


def manifest(edition: str) -> Manifest:
    return json.decode((FOLDER / edition / "manifest.json").read_bytes(), type=Manifest)


@cache
def words(name: str) -> frozenset[str]:
    return frozenset(lexicon.words(FIRST, name))


@pytest.mark.parametrize("name", LISTS)
def test_the_first_edition_is_byte_for_byte_the_published_one(name: str) -> None:
    count, digest = LISTS[name]
    content = (FOLDER / FIRST / f"{name}.txt").read_bytes()
    assert sha256(content).hexdigest() == digest
    assert content.count(b"\n") == count


@pytest.mark.parametrize("edition", lexicon.editions())
def test_a_manifest_says_what_its_edition_holds(edition: str) -> None:
    said = manifest(edition)
    assert said.edition == edition
    assert edition == edition_name({name: listed.sha256 for name, listed in said.lists.items()})
    assert {file.stem for file in (FOLDER / edition).glob("*.txt")} == set(said.lists)
    for name, listed in said.lists.items():
        content = (FOLDER / edition / f"{name}.txt").read_bytes()
        assert (listed.words, listed.sha256) == (content.count(b"\n"), sha256(content).hexdigest())


def test_the_newest_edition_was_made_of_the_hand_written_files_as_they_are() -> None:
    said = manifest(lexicon.editions()[-1])
    assert set(said.hand_written) == set(HandWritten.__struct_fields__)
    for name, digest in said.hand_written.items():
        assert sha256((FOLDER / "sources" / f"{name}.txt").read_bytes()).hexdigest() == digest, name
    assert tuple(said.packages) == PACKAGES


@pytest.mark.parametrize("file", sorted(FOLDER.rglob("*.txt")), ids=lambda file: str(file.relative_to(FOLDER)))
def test_a_list_is_sorted_and_ends_its_lines(file: Path) -> None:
    if file.name == "editions.txt":  # in order of time
        return
    lines = load(file)
    assert lines == sorted(set(lines))
    assert text(lines).encode() == file.read_bytes()


@pytest.mark.parametrize("name", FIVES)
def test_game_words_have_five_letters(name: str) -> None:
    assert words(name) == fives(words(name))


def test_the_lists_lie_within_each_other() -> None:
    assert words("enable5") == fives(words("enable"))
    assert words("enable5") < words("guesses")
    assert words("secrets") < words("enable5")
    assert words("isograms") == {word for word in words("secrets") if len(set(word)) == 5}


def test_no_secret_is_blocked_or_reviewed() -> None:
    assert not words("secrets") & words("blocked")
    assert not words("secrets") & set(hand_written(FOLDER).secrets_review)
    assert words("blocked") > set(hand_written(FOLDER).blocked_extra)
    assert {"bitch", "whore", "idiot", "booby"} < words("blocked")


class Theme(Struct):
    title: str
    words: list[str]


def test_rush_themes_hold_words_that_may_be_shown() -> None:
    themes = json.decode((FOLDER / "sources" / "rush_themes.json").read_bytes(), type=list[Theme])
    assert len(themes) == len({theme.title for theme in themes}) == 277
    refused = words("blocked") | set(hand_written(FOLDER).secrets_review)
    for theme in themes:
        assert len(theme.title) <= 19
        assert 8 <= len(theme.words) == len(set(theme.words)) <= 13
        assert all(len(set(word)) == 5 for word in theme.words), theme.title
        assert set(theme.words) <= words("guesses") - refused, theme.title


def test_an_edition_that_is_written_again_keeps_its_day_of_the_daily(tmp_path: Path) -> None:
    made = Edition(Manifest(edition="0", lists={}, packages=(), hand_written={}), {})

    def daily_from() -> date | None:
        return json.decode((tmp_path / "0" / "manifest.json").read_bytes(), type=Manifest).daily_from

    write(made, tmp_path)
    assert daily_from() is None
    write(made, tmp_path, date(2027, 5, 1))
    write(made, tmp_path)
    assert daily_from() == date(2027, 5, 1)

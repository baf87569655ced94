"""The words of the games are in English capitals on every page: in Turkish the capital of i would be İ."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPerson, Running

pytestmark = pytest.mark.browser

FOREIGN = """() => [...document.querySelectorAll("body *")]
  .filter((one) => getComputedStyle(one).textTransform === "uppercase")
  .filter((one) => one.matches("input") ||
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => [one.closest("[lang]").lang, one.textContent.trim()])
  .filter(([language, text]) => language !== "en")"""
"""Whatever is shown in capitals and is not marked as English."""


def capitals(page: Page, selector: str) -> str:
    """The letters of the first such thing as they are shown, without what stands between them."""
    return re.sub(r"\s", "", page.locator(selector).first.inner_text())


def test_i_is_capital_i_in_turkish_too(service: Running, person: NewPerson) -> None:
    """On boards and keys, while one types and afterwards, in the field for a secret and in the solver."""
    page = person(service.address, locale="tr-TR")
    page.goto("/practice")
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    expect(page.locator(".keys")).to_be_visible()
    page.keyboard.type("visit")
    expect(page.locator(".typing .tile.set")).to_have_count(5)
    assert capitals(page, ".typing") == "VISIT"
    assert capitals(page, ".keys-row") == "QWERTYUIOP"
    assert page.evaluate(FOREIGN) == []
    page.keyboard.press("Enter")
    expect(page.locator(".row .tile.C, .row .tile.R, .row .tile.I")).to_have_count(5)
    assert "".join(tile.inner_text() for tile in page.locator(".row .tile").all()[:5]) == "VISIT"
    assert page.evaluate(FOREIGN) == []

    page.goto("/solver#b=VISIT.IIIII")
    expect(page.locator(".candidate").first).to_be_visible()
    assert "".join(tile.inner_text() for tile in page.locator(".entry .tile").all()[:5]) == "VISIT"
    assert page.evaluate(FOREIGN) == []

    page.goto("/new")
    page.locator("#secret").fill("visit")
    expect(page.locator(".secret-tiles .tile.set")).to_have_count(5)
    assert capitals(page, ".secret-tiles") == "VISIT"
    assert page.evaluate(FOREIGN) == []

    for path in ("/", "/daily", "/how-to-play", "/solver/help"):
        page.goto(path)
        expect(page.locator("main .tile").first).to_be_attached()
        assert page.evaluate(FOREIGN) == [], path

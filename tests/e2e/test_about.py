"""Whose words these are, where players can read it."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson, Running

pytestmark = pytest.mark.browser


def test_the_notices_are_read_on_a_page_in_the_readers_language(service: Running, person: NewPerson) -> None:
    page = person(service.address, width=390, height=844, locale="de-DE")
    page.goto("/solver")
    page.locator("summary", has_text="Mehr").click()
    page.get_by_role("link", name="Über Wordyard").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Über Wordyard")
    notices = page.locator(".notice[lang=en]")
    for source in ("ENABLE", "SCOWL", "wordfreq", "LDNOOBW"):
        expect(notices).to_contain_text(source)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

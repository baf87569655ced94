"""The Daily over a midnight: the service's clock starts shortly before it, on the eve of daylight saving time."""

import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPerson, up
from tests.e2e.dailies import Overheard, guess, rows, word_of, wrong

pytestmark = pytest.mark.browser

EVE, MORROW = date(2026, 3, 7), date(2026, 3, 8)
MIDNIGHT = 130_000  # milliseconds in which it has come for certain


def over(page: Page) -> None:
    """The page says that its day is over, and has the way to the next."""
    expect(page.get_by_role("heading", name="The day is over")).to_be_visible(timeout=MIDNIGHT)
    expect(page.get_by_role("link", name="To today's word")).to_be_visible()


@pytest.mark.timeout(300)
def test_midnight_closes_the_daily_and_opens_the_next(person: NewPerson) -> None:
    """One has begun, one has only looked, one sleeps with a guess typed, one is done: nobody touches anything."""
    with up("--now", "2026-03-07T23:58:30-05:00") as service:
        begun, looker, sleeper, done = (person(service.address, 390, 844) for _ in range(4))
        heard = [Overheard(page) for page in (begun, looker)]
        word, words = word_of(service, EVE), wrong(service, EVE)
        for page in (begun, looker, sleeper, done):
            page.goto("/daily")
            expect(page.get_by_role("group", name="Keyboard")).to_be_visible(timeout=20_000)
        guess(begun, words[0], 1)
        guess(sleeper, words[0], 1)
        sleeper.context.set_offline(True)
        sleeper.keyboard.type(words[1])
        sleeper.keyboard.press("Enter")
        expect(sleeper.get_by_role("alert")).to_contain_text("No answer yet.")
        guess(done, word, 1)
        expect(done.get_by_text("The next one in", exact=False)).to_be_visible()
        assert all(word not in ear.told for ear in heard)

        for page, more in (
            (begun, "Midnight Eastern came before you were done."),
            (looker, "You made no guess on this day."),
        ):
            over(page)
            expect(page.locator(".verdict-card")).to_contain_text(more)
            expect(page.locator(".verdict-card")).to_contain_text(f"The word was {word}")
        expect(done.get_by_role("link", name="To today's word")).to_be_visible(timeout=10_000)

        sleeper.context.set_offline(False)
        over(sleeper)
        rows(sleeper, 1)

        tomorrow = word_of(service, MORROW)
        assert tomorrow != word
        for page in (begun, sleeper):
            page.get_by_role("link", name="To today's word").click()
            expect(page.get_by_text("The clock starts with your first guess.")).to_be_visible()
            expect(page.get_by_role("heading", name=re.compile("Mar 8, 2026"))).to_be_visible()
            rows(page, 0)
        assert all(tomorrow not in ear.told for ear in heard)
        guess(begun, tomorrow, 1)
        expect(begun.get_by_role("heading", name="Found at the first guess, in 0.0 s!")).to_be_visible()

        begun.get_by_role("link", name="Calendar").click()
        expect(begun.get_by_role("heading", name="March 2026")).to_be_visible()
        expect(begun.get_by_role("link", name=re.compile("^Mar 8, 2026: solved in 1"))).to_be_visible()
        begun.get_by_role("link", name=re.compile(f"^Mar 7, 2026: not finished.*{word}", re.IGNORECASE)).click()
        over(begun)
        begun.get_by_role("link", name="Check that it was fair").click()
        expect(begun.get_by_text("Everything is right: 3 checks, no errors.")).to_be_visible()
        proof = service.wordyard("audit", "--all")
        assert proof.returncode == 0, proof.stdout + proof.stderr

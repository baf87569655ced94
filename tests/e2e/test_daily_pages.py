"""Around the Daily: the lobby, the calendar, what a day's word is held to, and how it all looks."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPerson, Running
from tests.e2e.dailies import guess, today, word_of, wrong

pytestmark = pytest.mark.browser

I18N = Path(__file__).parents[2] / "services/api/web/i18n"
PHONE, DESK = (390, 844), (1280, 800)
CUT = """() => [...document.querySelectorAll("button, a, h1, h2, dt, dd, th, td, .clock")]
  .filter((one) => one.checkVisibility() && !one.closest(".unseen") && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).display !== "inline")
  .map((one) => one.textContent.trim())"""
"""Whatever is too wide for its place."""


def sentences(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((I18N / f"{language}.json").read_text())
    return found


def whole(page: Page) -> None:
    """Nothing is wider than the screen or than its place."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CUT) == []


def test_the_lobby_opens_the_daily_once_a_day(service: Running, person: NewPerson) -> None:
    """On the first visit of the day; then it shows how far one is."""
    page = person(service.address, *PHONE, first_visit=True)
    page.goto("/")
    page.wait_for_url("**/daily")
    guess(page, wrong(service)[0], 1)
    for _ in range(2):
        page.goto("/")
        card = page.locator("section", has=page.get_by_role("heading", name="The Daily"))
        expect(card).to_contain_text("1 of 6")
        assert page.url == f"{service.address}/"
    card.get_by_role("link", name="Go on").click()
    page.wait_for_url("**/daily")
    guess(page, word_of(service), 2)
    expect(page.get_by_role("heading", name=re.compile("^Found in 2 guesses"))).to_be_visible()
    page.get_by_role("link", name="Wordyard, to the lobby").click()
    expect(card).to_contain_text("solved in 2 guesses, in ")
    expect(card).to_contain_text("Solved one day in a row")


def test_the_next_day_opens_it_again(service: Running, person: NewPerson) -> None:
    page = person(service.address, first_visit=True)
    page.goto("/how-to-play")
    yesterday = json.dumps(str(today() - timedelta(days=1)))
    page.evaluate("day => localStorage.setItem('wordyard.daily.opened', day)", yesterday)
    page.goto("/")
    page.wait_for_url("**/daily")


@pytest.mark.parametrize("path", ["/solver", "/how-to-play", "/practice", "/daily/calendar", "/rivals"])
def test_a_link_to_another_page_leads_there(service: Running, person: NewPerson, path: str) -> None:
    page = person(service.address, first_visit=True)
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url == f"{service.address}{path}"


def test_whoever_opens_the_daily_by_hand_is_not_sent_there_by_the_lobby(service: Running, person: NewPerson) -> None:
    page = person(service.address, first_visit=True)
    page.goto("/daily")
    expect(page.get_by_role("group", name="Keyboard")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name="The Daily")).to_be_visible()
    assert page.url == f"{service.address}/"


def test_what_todays_word_is_held_to_is_shown_to_anybody(service: Running, person: NewPerson) -> None:
    """Also that of coming days, and never the word."""
    page = person(service.address, *PHONE)
    for ahead in (0, 7):
        day = today() + timedelta(days=ahead)
        page.goto(f"/daily/{day}/verify")
        expect(page.get_by_role("heading", name=re.compile("is still secret$"))).to_be_visible()
        shown = page.locator(".digits code").inner_text()
        proof = page.request.get(f"/api/v1/daily/{day}/verify").json()
        assert shown == proof["commitment"]
        assert word_of(service, day) not in page.content().lower()
        whole(page)
    for nonsense in ("2026-02-30", "nonsense", str(today() + timedelta(days=8))):
        page.goto(f"/daily/{nonsense}/verify")
        expect(page.get_by_text("There is no word of the day for this date.")).to_be_visible()


def test_the_calendar_turns_over_months(service: Running, person: NewPerson) -> None:
    page = person(service.address, *PHONE)
    page.goto("/daily/calendar?month=2026-02")
    expect(page.get_by_role("heading", name="February 2026")).to_be_visible()
    page.get_by_role("link", name="January 2026").click()
    expect(page.get_by_role("heading", name="January 2026")).to_be_visible()
    expect(page.get_by_role("link", name="December 2025")).to_have_count(0)
    for nonsense in ("2025-12", "9999-01", "nonsense"):
        page.goto(f"/daily/calendar?month={nonsense}")
        expect(page.get_by_role("heading", name=f"{today():%B %Y}")).to_be_visible()


@pytest.mark.parametrize("known", [False, True])
def test_days_before_the_service_lead_nowhere(service: Running, person: NewPerson, known: bool) -> None:
    """It has begun today; so it is for who is nobody yet, too."""
    page = person(service.address, *PHONE)
    if known:
        page.goto("/daily")
        guess(page, wrong(service)[0], 1)
    page.goto("/daily/calendar")
    expect(page.locator(".calendar").get_by_role("link")).to_have_count(1)
    expect(page.locator(".calendar").get_by_role("link")).to_have_attribute("href", f"/daily/{today()}")
    page.goto("/daily/calendar?month=2026-01")
    expect(page.get_by_text("There was no Daily yet in this month.")).to_be_visible()
    expect(page.locator(".calendar").get_by_role("link")).to_have_count(0)


def test_the_places_without_room_are_behind_one_button(service: Running, person: NewPerson) -> None:
    """By keyboard: it opens, closes with Escape, and leads on."""
    page = person(service.address, *PHONE)
    page.goto("/daily/calendar")
    places = page.get_by_role("navigation", name="Main")
    expect(places.get_by_role("link", name="Daily")).to_be_visible()
    history = places.get_by_role("link", name="History")
    expect(history).to_be_hidden()
    button = places.locator("summary")
    button.focus()
    page.keyboard.press("Enter")
    expect(history).to_be_visible()
    expect(history).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(history).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(history).to_be_hidden()


@pytest.mark.parametrize("language", ["de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "fi", "tr"])
def test_the_daily_in_every_language(service: Running, person: NewPerson, language: str) -> None:
    """From the board to the result and the calendar, on a phone and on a desk, with nothing cut off."""
    page = person(service.address, *PHONE, "dark" if language > "fi" else "light", language)
    page.goto("/daily")
    expect(page.get_by_text(sentences(language)["daily.not_begun"])).to_be_visible()
    whole(page)
    guess(page, wrong(service)[0], 1)
    guess(page, word_of(service), 2)
    expect(page.get_by_role("heading", name=sentences(language)["daily.everyone"])).to_be_visible()
    expect(page.get_by_role("heading", name=sentences(language)["daily.record"])).to_be_visible()
    for size in (PHONE, DESK):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        whole(page)
    page.goto("/daily/calendar")
    expect(page.locator(".calendar .was-solved")).to_be_visible()
    whole(page)

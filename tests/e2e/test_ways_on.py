"""Pages that have nothing to show, or not to this reader: each says why and leads on."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPerson, Running
from tests.e2e.people import accept, guess, invite

pytestmark = pytest.mark.browser

PHONE = (390, 844)
NO_GAME = "01a22cb0-f9fa-7735-80d4-fe52391ee522"


def leads(page: Page, *names: str) -> None:
    """Every one of these links is there, the places at the foot are too, and nothing is asked once more in vain."""
    for name in names:
        expect(page.locator("main").get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="Daily")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_of_others_is_not_shown(service: Running, person: NewPerson) -> None:
    ann, bob, nobody = person(service.address), person(service.address), person(service.address, *PHONE)
    game = accept(bob, invite(ann, "crepe"), "banal")
    nobody.goto(f"/game/{game}")
    expect(nobody.get_by_text("You are not signed in here.", exact=False)).to_be_visible()
    leads(nobody, "Sign in", "To the lobby")
    invite(nobody, "sight")
    nobody.goto(f"/game/{game}")
    expect(nobody.get_by_text("This game belongs to two other players.")).to_be_visible()
    leads(nobody, "To the lobby")
    nobody.goto(f"/verify/{NO_GAME}")
    expect(nobody.get_by_text("There is no such game.")).to_be_visible()
    leads(nobody, "To the lobby")
    expect(nobody.get_by_role("link", name="Back to the game")).to_have_count(0)


def test_the_check_of_a_day_that_never_was_leads_to_todays(service: Running, person: NewPerson) -> None:
    page = person(service.address, *PHONE)
    page.goto("/daily/2026-02-30/verify")
    expect(page.get_by_role("link", name="Back to the Daily")).to_have_attribute("href", "/daily")


def test_a_history_without_games_leads_to_one(service: Running, person: NewPerson) -> None:
    page = person(service.address, *PHONE)
    page.goto("/history")
    expect(page.get_by_text("No finished duels yet.", exact=False)).to_be_visible()
    leads(page, "New game", "Calendar")


def test_a_link_to_sign_in_that_opens_nothing_is_asked_for_anew(service: Running, person: NewPerson) -> None:
    page = person(service.address, *PHONE)
    page.goto("/sign-in#nonsense")
    page.get_by_role("button", name="Sign in here").click()
    expect(page.get_by_text("This link is not one of ours.", exact=False)).to_be_visible()
    expect(page.get_by_role("button", name="Sign in here")).to_have_count(0)
    page.get_by_role("link", name="Ask for a new link").click()
    expect(page.get_by_label("Your e-mail address")).to_be_visible()


def test_the_places_make_room_for_the_board_and_come_back_with_the_result(service: Running, person: NewPerson) -> None:
    ann, bob = person(service.address, *PHONE), person(service.address)
    game = accept(bob, invite(ann, "crepe"), "banal")
    ann.goto(f"/game/{game}")
    places = ann.get_by_role("navigation", name="Main")
    expect(ann.get_by_role("group", name="Keyboard")).to_be_visible()
    expect(places).to_be_hidden()
    guess(ann, "banal")
    expect(ann.get_by_role("heading", name="Found at the first guess!")).to_be_visible()
    expect(places).to_be_visible()
    bob.goto(f"/game/{game}")
    guess(bob, "crepe")
    expect(ann.get_by_role("heading", name="A draw")).to_be_visible()
    expect(places).to_be_visible()
    ann.goto("/history")
    date = ann.locator(".game-left")
    expect(date).to_be_visible()
    assert date.evaluate("one => one.offsetHeight < 2 * parseFloat(getComputedStyle(one).fontSize)"), "one line"

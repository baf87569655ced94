"""Operators at their desk: a report from the chat to its decision, what is done about a player, a game looked at."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NewPerson, Running, up
from tests.e2e.people import accept, invite, sign_in

pytestmark = pytest.mark.browser

OLGA = "olga@desk.example"


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """A service with an operator."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WORDYARD_OPERATORS", OLGA)
        with up() as running:
            yield running


def section(page: Page, name: str) -> Locator:
    return page.locator("section", has=page.get_by_role("heading", name=name, exact=True))


def fits(page: Page) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def say(page: Page, text: str) -> None:
    """Write in the chat, which is open."""
    page.get_by_role("textbox", name="Write to", exact=False).fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def keep(page: Page, name: str) -> None:
    """A picture to be looked at, if somebody wants it."""
    if folder := os.environ.get("WORDYARD_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def reported(service: Running, ann: Page, bob: Page, text: str) -> str:
    """Bob reports what ann says in their game; answers with its id."""
    game = accept(bob, invite(ann, "crepe"), "sight")
    for page in (ann, bob):
        page.goto(f"{service.address}/game/{game}")
        page.get_by_role("button", name=re.compile("^Chat")).click()
    say(ann, text)
    bob.get_by_role("button", name="Report", exact=False).first.click()
    expect(bob.get_by_text("Reported.", exact=False)).to_be_visible()
    done = bob.get_by_role("button", name="Reported", exact=True)
    expect(done).to_be_disabled()
    bob.reload()
    bob.get_by_role("button", name=re.compile("^Chat")).click()
    expect(done).to_be_disabled()
    return game


@pytest.mark.parametrize(("width", "height", "scheme"), [(390, 844, "dark"), (1280, 800, "light")])
def test_a_report_is_decided_and_its_author_dealt_with(
    service: Running, person: NewPerson, width: int, height: int, scheme: str
) -> None:
    ann, bob = person(service.address), person(service.address)
    text = f"an unkind word {width}"
    game = reported(service, ann, bob, text)
    olga = person(service.address, width, height, scheme)
    sign_in(olga, service.address, OLGA)
    olga.goto(f"{service.address}/desk")
    expect(olga).to_have_title("Desk · Wordyard")
    report = section(olga, "Reports").get_by_role("listitem").filter(has_text=text)
    report.get_by_label("Why, in one line", exact=False).fill("plain insult")
    report.get_by_role("radio", name="Yes, uphold").check()
    fits(olga)
    keep(olga, f"desk-reports-{width}")
    report.get_by_role("button", name="Show the player").click()
    player = section(olga, "Player")
    expect(player.get_by_text("Nothing was done about this player yet.")).to_be_visible()
    expect(player.get_by_role("heading", name="Player", exact=True)).to_be_focused()

    player.get_by_role("radio", name="Mute in all chats").check()
    player.get_by_label("For how long").select_option("for a week")
    player.get_by_label("Why, in one line", exact=False).fill("insults")
    player.get_by_role("button", name="Mute in all chats").click()
    expect(player.get_by_text("muted until", exact=False).first).to_be_visible()
    expect(player.get_by_role("listitem")).to_contain_text("insults")
    say(ann, "hello?")
    expect(ann.get_by_text("You cannot write in chats at present.")).to_be_visible()
    fits(olga)
    keep(olga, f"desk-player-{width}")

    report.get_by_label("Why, in one line", exact=False).press("Enter")
    expect(report).to_have_count(0)
    section(olga, "Reports").get_by_role("button", name="Decided").click()
    expect(report).to_contain_text("Upheld by")
    expect(report).to_contain_text("plain insult")

    report.get_by_role("button", name="Look at the game").click()
    lookup = section(olga, "A game as a player saw it")
    lookup.get_by_label("Why, in one line", exact=False).fill("a report")
    lookup.get_by_role("button", name="Look", exact=True).click()
    expect(lookup.get_by_text("record 2 of 2", exact=False)).to_be_visible()
    lookup.get_by_text("Everything in this view").click()
    expect(lookup.locator("pre")).to_contain_text('"secret": "crepe"')
    expect(lookup.locator("pre")).not_to_contain_text("sight")
    expect(lookup.locator("pre")).to_contain_text(game)
    fits(olga)
    keep(olga, f"desk-game-{width}")


def test_a_closed_account_is_told_so_when_it_signs_in(service: Running, person: NewPerson) -> None:
    ann, olga = person(service.address), person(service.address)
    sign_in(ann, service.address, "ann@desk.example")
    id_ = ann.request.get(f"{service.address}/api/v1/me").json()["player"]["id"]
    sign_in(olga, service.address, OLGA)
    olga.goto(f"{service.address}/desk?player={id_}")
    player = section(olga, "Player")
    player.get_by_role("radio", name="Close the account").check()
    player.get_by_label("Why, in one line", exact=False).fill("third time")
    player.get_by_role("button", name="Close the account").press("Enter")
    expect(player.get_by_text("closed", exact=True)).to_be_visible()
    ann.goto(f"{service.address}/account")
    expect(ann.get_by_text("Nobody is signed in here.")).to_be_visible()
    ann.goto(f"{service.address}/sign-in")
    ann.get_by_label("Your e-mail address").fill("ann@desk.example")
    ann.get_by_role("button", name="Send the link").click()
    expect(ann.get_by_role("heading", name="Look into your mail")).to_be_visible()
    mails = ann.request.get(f"{service.address}/api/v1/outbox").json()["mails"]
    token = next(mail["text"] for mail in mails if mail["to"] == "ann@desk.example").split("/sign-in#")[1].split()[0]
    ann.goto(f"{service.address}/how-to-play")
    ann.goto(f"{service.address}/sign-in#{token}")
    ann.get_by_role("button", name="Sign in here").click()
    expect(ann.get_by_text("This account is closed.")).to_be_visible()
    done = service.wordyard("moderate", "reopen", id_, "--why", "mistaken", "--as", OLGA)
    assert done.returncode == 0, done.stderr
    ann.get_by_role("button", name="Sign in here").click()
    ann.wait_for_url(re.compile(f"^{re.escape(service.address)}/(account)?$"))


def test_an_operator_is_offered_no_end_of_the_own_account(service: Running, person: NewPerson) -> None:
    olga = person(service.address)
    sign_in(olga, service.address, OLGA)
    id_ = olga.request.get(f"{service.address}/api/v1/me").json()["player"]["id"]
    olga.goto(f"{service.address}/desk?player={id_}")
    player = section(olga, "Player")
    expect(player.get_by_role("radio", name="Take the name")).to_be_visible()
    expect(player.get_by_role("radio", name="Close the account")).to_have_count(0)


def test_nobody_else_finds_a_desk(service: Running, person: NewPerson) -> None:
    page = person(service.address)
    page.goto(f"{service.address}/desk")
    expect(page.get_by_role("alert")).to_be_visible()
    sign_in(page, service.address, "bob@desk.example")
    page.goto(f"{service.address}/desk")
    expect(page.get_by_text("Only operators of this service may do that.")).to_be_visible()
    expect(page.get_by_role("heading", name="Reports")).to_have_count(0)

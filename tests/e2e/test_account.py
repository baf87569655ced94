"""A person's account on the pages: signing in, where they are signed in, keys, blocking, export, and the end of it."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from libs.runtime import ids
from tests.e2e.conftest import NewPerson, Running
from tests.e2e.people import accept, invite, sign_in

pytestmark = pytest.mark.browser


def test_an_account_from_its_first_day_to_its_last(service: Running, person: NewPerson) -> None:
    email = f"{ids.new_id()}@example.org"
    ann, tablet, bob = (
        person(service.address),
        person(service.address, 390, 844, "dark"),
        person(service.address),
    )
    for page in (ann, tablet):
        sign_in(page, service.address, email)
    ann.goto(f"{service.address}/account")
    rows = ann.locator("section", has=ann.get_by_role("heading", name="Where you are signed in")).get_by_role(
        "listitem"
    )
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="This device")).to_have_count(1)
    expect(rows.first).to_contain_text("Chrome on Linux")
    rows.get_by_role("button", name="Sign out: Chrome on Linux").click()
    expect(rows).to_have_count(1)
    tablet.goto(f"{service.address}/account")
    expect(tablet.get_by_text("Nobody is signed in here.")).to_be_visible()

    ann.get_by_label("What it is for").fill("reader")
    for scope in ("Play and chat", "Manage the account"):
        ann.get_by_role("switch", name=scope).uncheck()
    ann.get_by_role("button", name="Make a key").click()
    expect(ann.get_by_text("It is shown only now", exact=False)).to_be_visible()
    expect(ann.get_by_role("listitem").filter(has_text="reader")).to_contain_text("Look at games and lists")
    expect(ann.get_by_role("listitem").filter(has_text="reader")).not_to_contain_text("Play and chat")
    for scope in ("Look at games and lists", "Play and chat", "Manage the account"):
        expect(ann.get_by_role("switch", name=scope)).to_be_checked()  # what the next key will be made with

    game = accept(bob, invite(ann, "crepe"), "banal")
    ann.goto(f"{service.address}/game/{game}")
    ann.get_by_role("button", name=re.compile("^Chat")).click()
    ann.get_by_role("button", name="Block Guest", exact=False).click()
    expect(ann.get_by_text("is blocked", exact=False)).to_be_visible()
    bob.goto(f"{service.address}/game/{game}")
    bob.get_by_role("button", name=re.compile("^Chat")).click()
    bob.get_by_role("textbox", name="Write to", exact=False).fill("hello?")
    bob.get_by_role("button", name="Send", exact=True).click()
    expect(bob.get_by_text("That is not possible with this player.")).to_be_visible()

    ann.goto(f"{service.address}/account")
    blocked = ann.locator("section", has=ann.get_by_role("heading", name="Blocked players"))
    blocked.get_by_role("button", name="Unblock").click()
    expect(blocked.get_by_text("Nobody.")).to_be_visible()

    with ann.expect_download() as saved:
        ann.get_by_role("link", name="Download").click()
    assert saved.value.suggested_filename.startswith("wordyard-")
    assert json.loads(Path(saved.value.path()).read_text())["profile"]["email"] == email

    name = ann.get_by_label("What others call you").input_value()
    ann.get_by_text("Delete the account").click()
    ann.get_by_label("To confirm", exact=False).fill("somebody else")
    ann.get_by_role("button", name="Delete for good").click()
    expect(ann.get_by_text("That is not your display name.")).to_be_visible()
    ann.get_by_label("To confirm", exact=False).fill(name)
    ann.get_by_role("button", name="Delete for good").click()
    expect(ann.get_by_text("Your account is deleted.")).to_be_visible()
    ann.wait_for_url(f"{service.address}/")
    bob.goto(f"{service.address}/game/{game}")
    expect(bob.get_by_text("Deleted player").first).to_be_visible()

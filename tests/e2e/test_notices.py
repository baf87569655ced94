"""Notices on the pages: chosen by hand, mailed, ended by the link of a mail; and shown by the service worker."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from libs.runtime import ids
from tests.e2e.conftest import NewPerson, Running
from tests.e2e.people import accept, invite, sign_in

pytestmark = pytest.mark.browser

TAKEN = "Somebody takes my invite"


def choose(page: Page, what: str, way: str) -> None:
    """Tick a box, and wait until the server knows."""
    with page.expect_response(lambda answer: answer.url.endswith("/me/notices") and answer.request.method == "PUT"):
        page.get_by_role("checkbox", name=f"{what}: {way}").check()


def notice_to(page: Page, address: str, email: str) -> str:
    """The newest mail to an address that is no link to sign in."""
    found: list[str] = []

    def is_there() -> bool:
        mails = page.request.get(f"{address}/api/v1/outbox").json()["mails"]
        found[:] = [mail["text"] for mail in mails if mail["to"] == email and "/sign-in#" not in mail["text"]]
        return bool(found)

    for _ in range(200):
        if is_there():
            return found[0]
        page.wait_for_timeout(50)
    raise AssertionError("no notice came")


def test_what_is_chosen_is_mailed_until_the_mails_link_ends_it(service: Running, person: NewPerson) -> None:
    email = f"{ids.new_id()}@example.org"
    ann, bob = person(service.address), person(service.address, 390, 844)
    sign_in(ann, service.address, email)
    ann.goto(f"{service.address}/account")
    boxes = ann.locator("table.notices").get_by_role("checkbox")
    expect(boxes).to_have_count(8)
    expect(ann.locator("table.notices input:checked")).to_have_count(0)
    choose(ann, TAKEN, "Mail")
    ann.reload()
    expect(ann.get_by_role("checkbox", name=f"{TAKEN}: Mail")).to_be_checked()
    expect(ann.locator("table.notices input:checked")).to_have_count(1)

    game = accept(bob, invite(ann, "crepe"), "banal")
    text = notice_to(ann, service.address, email)
    assert f"{service.address}/game/{game}" in text
    assert "crepe" not in text
    assert "banal" not in text

    link = re.search(r"\S+/unsubscribe/\S+", text)
    assert link
    bob.goto(link[0])
    expect(bob.get_by_role("heading", name="No more mails")).to_be_visible()
    ann.goto(f"{service.address}/account")
    expect(ann.get_by_role("checkbox", name=f"{TAKEN}: Mail")).to_be_checked()
    bob.get_by_role("button", name="Send me no more").click()
    expect(bob.get_by_text("No more notices come by mail.")).to_be_visible()
    ann.goto(f"{service.address}/account")
    expect(boxes).to_have_count(8)
    expect(ann.locator("table.notices input:checked")).to_have_count(0)


def test_the_service_worker_shows_what_is_pushed_to_it(service: Running, person: NewPerson) -> None:
    ann = person(service.address)
    ann.context.grant_permissions(["notifications"], origin=service.address)
    ann.goto(f"{service.address}/how-to-play")
    scope = ann.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")
    assert scope == f"{service.address}/"
    devtools = ann.context.new_cdp_session(ann)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(each["registrationId"] for each in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not registrations:
        ann.wait_for_timeout(20)
    told = {"title": "Bob ist fertig", "text": "Sieh nach.", "language": "de", "path": "/game/1", "tag": "t"}
    for data in (json.dumps(told), "no JSON", json.dumps(told)):
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": service.address, "registrationId": registrations[0], "data": data},
        )
    shown = """
    navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
        .then((all) => all.map(({ title, body, lang, tag, data }) => [title, body, lang, tag, data.path]))
    """
    for _ in range(200):
        if ann.evaluate(shown):
            break
        ann.wait_for_timeout(50)
    assert ann.evaluate(shown) == [["Bob ist fertig", "Sieh nach.", "de", "t", "/game/1"]]


def test_a_browser_without_a_push_service_is_told_so(service: Running, person: NewPerson) -> None:
    """This machine reaches no push service, as some browsers do not."""
    ann = person(service.address)
    ann.context.grant_permissions(["notifications"], origin=service.address)
    sign_in(ann, service.address, f"{ids.new_id()}@example.org")
    ann.goto(f"{service.address}/account")
    ann.get_by_role("button", name="Show them in this browser").click()
    expect(ann.get_by_text("Notices cannot be sent to this browser.")).to_be_visible()
    expect(ann.get_by_text("This browser shows no notices yet.")).to_be_visible()

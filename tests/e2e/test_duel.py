"""Two people play a duel in their browsers, and an operator proves it afterwards."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson, Running, up
from tests.e2e.people import accept, guess, invite

pytestmark = pytest.mark.browser


def test_two_people_play_a_duel_and_an_operator_proves_it(service: Running, person: NewPerson) -> None:
    """On a phone in the dark and on a desk in the light; guests, from the link to the verified result."""
    ann, bob = person(service.address), person(service.address, 390, 844, "dark")
    link = invite(ann, "crepe")
    game = accept(bob, link, "banal")
    ann.wait_for_url(re.compile(f"/game/{game}"))

    guess(bob, "eerie")
    expect(ann.get_by_text("Row 1: another spot, not in the word, another spot", exact=False).first).to_be_attached()
    assert "eerie" not in ann.content().lower()
    guess(bob, "crepe")
    guess(ann, "allot")
    guess(ann, "banal")

    expect(ann.get_by_role("heading", name="A draw")).to_be_visible()
    expect(bob.get_by_role("heading", name="A draw")).to_be_visible()
    expect(ann.get_by_text("eerie", exact=False).first).to_be_attached()

    ann.goto(f"/verify/{game}")
    expect(ann.get_by_text("Everything is right", exact=False)).to_be_visible()

    proof = service.wordyard("audit", game)
    assert proof.returncode == 0, proof.stdout + proof.stderr
    assert "eerie" in proof.stdout.lower()
    everything = service.wordyard("audit", "--all")
    assert everything.returncode == 0, everything.stdout + everything.stderr
    assert service.wordyard("replay", "--check").returncode == 0


def test_midnight_closes_a_duel_on_both_pages(person: NewPerson) -> None:
    """The service's clock starts shortly before midnight Eastern; nobody touches anything."""
    with up("--now", "2026-03-07T23:59:20-05:00") as service:
        ann, bob = person(service.address), person(service.address)
        link = invite(ann, "crepe")
        accept(bob, link, "banal")
        guess(bob, "crepe")
        for page, outcome in ((bob, "You won"), (ann, "Not this time")):
            expect(page.get_by_role("heading", name=outcome)).to_be_visible(timeout=75_000)


def test_an_invite_is_taken_only_by_a_click(service: Running, person: NewPerson) -> None:
    """Opening the link, even often, uses nothing up; the third person is told that it was taken."""
    ann, bob, cat = (person(service.address) for _ in range(3))
    link = invite(ann, "crepe")
    for _ in range(3):
        cat.goto(link)
        expect(cat.get_by_role("button", name="Accept and start")).to_be_visible()
    accept(bob, link, "banal")
    cat.reload()
    expect(cat.get_by_role("heading", name="This invite was taken")).to_be_visible()


def test_signing_in_by_mail_makes_rivals(service: Running, person: NewPerson) -> None:
    """The link of the mail needs a click; two accounts that play are rivals, with a record."""
    people = []
    for name in ("ann", "bob"):
        page = person(service.address)
        page.goto("/sign-in")
        page.get_by_label("e-mail", exact=False).first.fill(f"{name}@example.com")
        page.locator("form button[type=submit]").click()
        expect(page.get_by_text(f"{name}@example.com", exact=False).first).to_be_visible()
        mails = page.request.get("/api/v1/outbox").json()["mails"]
        text = next(mail["text"] for mail in mails if mail["to"] == f"{name}@example.com")
        page.goto(re.search(r"http\S+/sign-in#\S+", text).group())  # type: ignore[union-attr]
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(re.compile(r"/(account)?$"))
        people.append(page)
    ann, bob = people
    accept(bob, invite(ann, "crepe"), "banal")
    guess(bob, "crepe")
    guess(ann, "banal")
    expect(ann.get_by_role("heading", name="A draw")).to_be_visible()
    ann.goto("/rivals")
    expect(ann.get_by_text("1 drawn", exact=False).or_(ann.get_by_text("Drawn")).first).to_be_visible()

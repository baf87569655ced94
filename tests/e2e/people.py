"""What people do on the pages."""

import re

from playwright.sync_api import Page, expect


def invite(page: Page, secret: str) -> str:
    """Pick a secret, make an invite, and read its link."""
    page.goto("/new")
    page.get_by_label("Your secret word").fill(secret)
    page.get_by_role("button", name="Make the invite").click()
    link = page.get_by_label("Invite link")
    expect(link).to_be_visible()
    return link.input_value()


def accept(page: Page, link: str, secret: str) -> str:
    """Open an invite, pick a secret, take it; answers with the game's id."""
    page.goto(link)
    page.get_by_label("Your secret word").fill(secret)
    page.get_by_role("button", name="Accept and start").click()
    page.wait_for_url(re.compile("/game/"))
    return page.url.rsplit("/", 1)[1]


def guess(page: Page, word: str) -> None:
    """Type a word on the real keyboard, send it, and wait for its marks."""
    expect(page.get_by_role("group", name="Keyboard").or_(page.get_by_label("Keyboard"))).to_be_visible()
    page.keyboard.type(word)
    page.keyboard.press("Enter")


def sign_in(page: Page, address: str, email: str) -> None:
    """By the link that the outbox shows."""
    page.goto(f"{address}/sign-in")
    page.get_by_label("Your e-mail address").fill(email)
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    mails = page.request.get(f"{address}/api/v1/outbox").json()["mails"]
    token = next(mail["text"] for mail in mails if mail["to"] == email).split("/sign-in#")[1].split()[0]
    page.goto(f"{address}/how-to-play")
    page.goto(f"{address}/sign-in#{token}")
    page.get_by_role("button", name="Sign in here").click()
    page.wait_for_url(re.compile(f"^{re.escape(address)}/(account)?$"))

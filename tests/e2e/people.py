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

"""People play the Daily: on two devices, as a guest and then signed in, by keyboard, and hand the result on."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from libs.core.marks import mark
from libs.runtime import ids
from tests.e2e.conftest import NewPerson, Running
from tests.e2e.dailies import Overheard, guess, rows, today, word_of, wrong
from tests.e2e.people import sign_in

pytestmark = pytest.mark.browser

PHONE, DESK = (390, 844), (1280, 800)
SHEET = """(() => {
  window.handed = [];
  Object.defineProperty(navigator, "share", { value: async (what) => window.handed.push(what) });
})()"""
NO_CLIPBOARD = 'Object.defineProperty(navigator, "clipboard", { value: undefined })'


def account(service: Running, page: Page) -> str:
    """Sign in as somebody new; answers with the address."""
    email = f"{ids.new_id()}@example.org"
    sign_in(page, service.address, email)
    return email


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and what one types with is on it."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if page.locator(".keys").count():
        expect(page.locator(".keys")).to_be_in_viewport(ratio=1)


def section(page: Page, name: str) -> Locator:
    """The card with this heading."""
    return page.locator("section.card", has=page.get_by_role("heading", name=name, exact=True))


def figures(page: Page) -> list[str]:
    """Played, solved, streak and longest streak."""
    numbers = section(page, "Your record").locator("dd")
    expect(numbers).to_have_count(4)
    return numbers.all_inner_texts()


def test_two_devices_of_an_account_are_one_attempt(service: Running, person: NewPerson) -> None:
    """The second one follows from before the first guess; neither is told the word before it is found."""
    phone, desk = person(service.address, *PHONE, "dark"), person(service.address, *DESK)
    email = account(service, phone)
    sign_in(desk, service.address, email)
    heard = [Overheard(page) for page in (phone, desk)]
    word, (first, second, *_) = word_of(service), wrong(service)
    for page in (phone, desk):
        page.goto("/daily")
        expect(page.get_by_text("The clock starts with your first guess.")).to_be_visible()
        fits(page)
    guess(phone, first, 1)
    rows(desk, 1)
    expect(desk.get_by_text("Your time:", exact=False)).to_be_visible()
    guess(desk, second, 2)
    rows(phone, 2)
    expect(phone.locator('[role="log"]')).to_contain_text(f"{second}: ")
    for page, ear in zip((phone, desk), heard, strict=True):
        assert word not in ear.told
        assert word not in page.content().lower()
    guess(phone, word, 3)
    for page in (phone, desk):
        expect(page.get_by_role("heading", name=re.compile("^Found in 3 guesses, "))).to_be_visible()
        expect(section(page, "Everyone")).to_be_visible()
        expect(section(page, "Leaderboard").locator("tr.own")).to_have_count(1)
        assert figures(page) == ["1", "1", "1", "1"]
        fits(page)
    assert all(word in ear.told for ear in heard)
    for page in (phone, desk):
        page.reload()
        expect(page.get_by_role("heading", name=re.compile("^Found in 3 guesses, "))).to_be_visible()
        rows(page, 3)


def test_a_guest_signs_in_and_goes_on(service: Running, person: NewPerson) -> None:
    """Looking makes nobody a guest; the account goes on where the guest was, and stands on the board."""
    page = person(service.address, *PHONE)
    page.goto("/daily")
    expect(page.get_by_role("group", name="Keyboard")).to_be_visible()
    assert not [cookie for cookie in page.context.cookies() if cookie["name"] == "wordyard"]
    one, two, *_ = wrong(service)
    guess(page, one, 1)
    email = account(service, page)
    page.goto("/daily")
    rows(page, 1)
    guess(page, two, 2)
    guess(page, word_of(service), 3)
    expect(section(page, "Leaderboard").locator("tr.own")).to_contain_text("You")
    assert figures(page)[:2] == ["1", "1"]
    other = person(service.address)
    sign_in(other, service.address, email)
    other.goto("/daily")
    expect(other.get_by_role("heading", name=re.compile("^Found in 3 guesses, "))).to_be_visible()


def test_a_guest_who_has_finished_comes_onto_the_board_by_signing_in(service: Running, person: NewPerson) -> None:
    page = person(service.address)
    page.goto("/daily")
    guess(page, word_of(service), 1)
    expect(page.get_by_role("heading", name="Found at the first guess, in 0.0 s!")).to_be_visible()
    board = section(page, "Leaderboard")
    expect(board).to_contain_text("The leaderboard is for accounts.")
    expect(board.locator("tr.own")).to_have_count(0)
    account(service, page)
    page.goto("/daily")
    expect(board.locator("tr.own")).to_contain_text("0.0 s")
    expect(board).to_contain_text("Your place: 1")


def test_after_six_guesses_the_word_is_shown(service: Running, person: NewPerson) -> None:
    """By keyboard alone: what is no word costs nothing, the same word is asked about, and the end has the focus."""
    page = person(service.address)
    heard = Overheard(page)
    page.goto("/daily")
    word, words = word_of(service), wrong(service)
    guess(page, words[0], 1)
    alert = page.get_by_role("alert")
    page.keyboard.type("zzzzz")
    page.keyboard.press("Enter")
    expect(alert).to_have_text("Not in the word list. It cost you nothing.")
    for _ in range(5):
        page.keyboard.press("Backspace")
    page.keyboard.type(words[0])
    page.keyboard.press("Enter")
    expect(alert).to_have_text(re.compile("^You have tried "))
    for _ in range(5):
        page.keyboard.press("Backspace")
    for number, one in enumerate(words[1:5], 2):
        guess(page, one, number)
    expect(alert).to_have_text("Your last guess.")
    assert word not in heard.told
    guess(page, words[5], 6)
    expect(page.get_by_role("heading", name="Six guesses, and no luck")).to_be_focused()
    expect(page.locator(".verdict-card")).to_contain_text(f"The word was {word}")
    expect(page.locator('[role="log"]')).to_contain_text(f"The word was {word}")
    assert figures(page) == ["1", "0", "0", "0"]
    expect(section(page, "Everyone").locator("li.own")).to_contain_text("not solved")


def text_of(service: Running, words: list[str], gray: str, score: str) -> str:
    """The squares of these guesses, with the line above them up to the score."""
    squares = {"C": "🟩", "R": "🟪", "I": gray}
    lines = ["".join(squares[one] for one in mark(guess, word_of(service))) for guess in words]
    written = f"{today():%b} {today().day}, {today().year}"
    return f"Wordyard Daily, {written}: {score}" + "\n\n" + "\n".join(lines)


def test_the_result_is_copied_without_a_letter(service: Running, person: NewPerson) -> None:
    """As squares in the colours of our games, and in plain words."""
    page = person(service.address, *PHONE, "dark")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/daily")
    words = [wrong(service)[0], word_of(service)]
    for number, one in enumerate(words, 1):
        guess(page, one, number)
    page.get_by_role("button", name="Copy the squares").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    score, *rest = re.split(r", [\d.]+ s(?=\n)", text)
    assert score + rest[0] == text_of(service, words, "⬛", "2/6") + f"\n\n{service.address}/daily"
    page.get_by_role("button", name="Copy in words").click()
    page.wait_for_function("text => navigator.clipboard.readText().then(now => now !== text)", arg=text)
    told = page.evaluate("navigator.clipboard.readText()")
    assert "Row 2: right spot, right spot, right spot, right spot, right spot." in told
    for one in words:
        assert one not in (text + told).lower()


def test_the_result_goes_to_the_share_sheet(service: Running, person: NewPerson) -> None:
    page = person(service.address)
    page.add_init_script(SHEET)
    page.goto("/daily")
    guess(page, word_of(service), 1)
    page.get_by_role("button", name="Share", exact=True).click()
    (handed,) = page.evaluate("window.handed")
    assert handed["text"].startswith(text_of(service, [word_of(service)], "⬜", "1/6, 0.0 s")[:40])
    assert "🟩🟩🟩🟩🟩" in handed["text"]


def test_without_a_clipboard_the_text_is_there_to_copy(service: Running, person: NewPerson) -> None:
    page = person(service.address)
    page.add_init_script(NO_CLIPBOARD)
    page.goto("/daily")
    guess(page, word_of(service), 1)
    page.get_by_role("button", name="Copy the squares").click()
    field = page.get_by_label("Select the text and copy it by hand.")
    expect(field).to_be_focused()
    assert "🟩🟩🟩🟩🟩" in field.input_value()
    assert page.evaluate("String(getSelection())") or page.evaluate(
        "document.activeElement.selectionEnd - document.activeElement.selectionStart"
    ) == len(field.input_value())


def test_a_guess_waits_for_the_network_over_a_reload(service: Running, person: NewPerson) -> None:
    page = person(service.address)
    page.goto("/daily")
    first, second, *_ = wrong(service)
    guess(page, first, 1)
    page.context.set_offline(True)
    page.keyboard.type(second)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("No answer yet. Your guess is kept and sent again until it is in.")
    kept = json.loads(page.evaluate(f"localStorage.getItem('wordyard.guess.daily.{today()}')"))
    assert kept["word"] == second
    page.context.set_offline(False)
    page.reload()
    rows(page, 2)

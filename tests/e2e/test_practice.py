"""People practise: by touch and by keyboard, over a reload, without a network, signed out, in any language."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from libs.core import lexicon
from libs.core.practice import Practice
from services.api.practice_tokens import PracticeTokens
from tests.e2e.conftest import NewPerson, Running
from tests.e2e.vocabulary import said_anyway

pytestmark = pytest.mark.browser

PHONE, DESK = (390, 844), (1280, 800)


def tokens(service: Running) -> PracticeTokens:
    """What seals the games of this service."""
    return PracticeTokens((service.data / "secret_key").read_text().strip())


def kept(page: Page) -> dict[str, str]:
    """The game as the browser has kept it."""
    found: dict[str, str] = json.loads(page.evaluate("localStorage.getItem('wordyard.practice')"))
    return found


def begin(page: Page, service: Running, secret: str) -> None:
    """Open the page with a game that has this secret."""
    token = tokens(service).seal(Practice(words=lexicon.newest().edition, secret=secret))
    game = json.dumps({"token": token, "guesses": [], "state": "open", "word": None})
    page.goto("/how-to-play")
    page.evaluate("game => localStorage.setItem('wordyard.practice', game)", game)
    page.goto("/practice")
    expect(rows(page)).to_have_count(6)


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Your guesses").locator("> li")


def marks(page: Page, number: int) -> str:
    """The marks of a row that was guessed, from the classes of its tiles; rows count from 1."""
    classes = [str(tile.get_attribute("class")) for tile in rows(page).nth(number - 1).locator(".tile").all()]
    return "".join(one.split()[-1] for one in classes)


def guess(page: Page, word: str, number: int) -> None:
    """Type a word, send it, and wait until it is guess `number`."""
    expect(page.get_by_role("group", name="Keyboard")).to_be_visible()
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    expect(page.locator(".board .row .tile.C, .board .row .tile.R, .board .row .tile.I")).to_have_count(5 * number)


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and what one types with is on it."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keys = page.locator(".keys")
    if keys.count():
        expect(keys).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")])
def test_a_word_is_found_by_touch(service: Running, person: NewPerson, size: tuple[int, int], scheme: str) -> None:
    """Nobody is signed in, nor made a guest; then comes another word."""
    page = person(service.address, *size, scheme)
    for _ in range(2):  # the day's first visit is shown the Daily
        page.goto("/")
        expect(page.get_by_role("banner")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Practice").click()
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
    fits(page)
    first = kept(page)
    secret = tokens(service).open(first["token"]).secret
    assert secret in lexicon.newest().secrets
    while said_anyway(secret):
        page.evaluate("localStorage.removeItem('wordyard.practice')")
        page.reload()
        expect(rows(page)).to_have_count(6)
        first = kept(page)
        secret = tokens(service).open(first["token"]).secret
    assert secret not in page.content().lower()
    for letter in f"{secret[:4]}Q".upper():
        page.get_by_role("button", name=letter, exact=True).click()
    page.get_by_role("button", name="Erase").click()
    page.get_by_role("button", name=re.compile(f"^{secret[4].upper()}$")).click()
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.get_by_role("heading", name="Found at the first guess!")).to_be_visible()
    assert marks(page, 1) == "CCCCC"
    assert kept(page)["state"] == "solved"
    fits(page)
    page.get_by_role("button", name="Another word").click()
    expect(page.get_by_role("group", name="Guess 1 of 6")).to_be_visible()
    assert kept(page)["token"] != first["token"]
    assert not [cookie for cookie in page.context.cookies() if cookie["name"] == "wordyard"]


def test_a_reload_plays_on(service: Running, person: NewPerson) -> None:
    """Rows and keys are as they were, on the next page and after a reload; so is the end."""
    page = person(service.address, *PHONE)
    begin(page, service, "crepe")
    guess(page, "eerie", 1)
    guess(page, "allot", 2)
    page.keyboard.type("cr")
    page.reload()
    expect(page.get_by_role("group", name="Guess 3 of 6")).to_be_visible()
    assert [marks(page, 1), marks(page, 2)] == ["RIRIC", "IIIII"]
    expect(page.get_by_role("button", name="E right spot", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="O not in the word", exact=True)).to_be_visible()
    page.goto("/how-to-play")
    page.goto("/practice")
    guess(page, "crepe", 3)
    for _ in range(2):
        expect(page.get_by_role("heading", name="Found in 3 guesses")).to_be_visible()
        assert marks(page, 3) == "CCCCC"
        page.reload()


def test_after_six_guesses_the_word_is_shown(service: Running, person: NewPerson) -> None:
    """And the board can be looked at in the solver."""
    page = person(service.address)
    begin(page, service, "crepe")
    for number, word in enumerate(("eerie", "sassy", "mound", "jumpy", "visit"), 1):
        guess(page, word, number)
    expect(page.get_by_role("alert")).to_have_text("Your last guess.")
    guess(page, "banal", 6)
    expect(page.get_by_role("heading", name="Six guesses, and no luck")).to_be_visible()
    expect(page.locator(".standing")).to_contain_text("The word was crepe")
    log = page.locator('[role="log"]')
    expect(log).to_contain_text("banal: B not in the word, A not in the word, N not in the word")
    expect(log).to_contain_text("The word was crepe.")
    page.get_by_role("link", name="Open in the solver").click()
    expect(page).to_have_url(re.compile(r"/solver#b=EERIE\.RIRIC_SASSY\.IIIII_"))
    page.go_back()
    expect(page.locator(".standing")).to_contain_text("The word was crepe")


def test_everything_is_done_by_keyboard_alone(service: Running, person: NewPerson) -> None:
    """From the lobby to the second word: what is no word, a correction, the same word twice, giving up, going on."""
    page = person(service.address)
    begin(page, service, "crepe")
    alert = page.get_by_role("alert")
    page.keyboard.type("eer")
    page.keyboard.press("Enter")
    expect(alert).to_have_text("A guess has five letters.")
    page.keyboard.type("iq")
    page.keyboard.press("Enter")
    expect(alert).to_have_text("Not in the word list. It cost you nothing.")
    page.keyboard.press("Backspace")
    guess(page, "e", 1)
    page.keyboard.type("eerie")
    page.keyboard.press("Enter")
    expect(alert).to_have_text("You have tried EERIE already. Enter again to use a guess on it.")
    guess(page, "", 2)
    page.keyboard.press("Shift+Tab")
    for _ in range(40):
        if page.locator(":focus").inner_text() == "Another word":
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(alert).to_have_text("Give this word up? Press again for another one.")
    page.keyboard.type("c")
    expect(alert).to_have_text("")
    guess(page, "repe", 3)
    heading = page.get_by_role("heading", name="Found in 3 guesses")
    expect(heading).to_be_visible()
    page.keyboard.press("Tab")
    if page.locator(":focus").inner_text() != "Another word":  # the focus was on the button that has gone
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Guess 1 of 6")).to_be_visible()
    page.keyboard.type("crane")
    expect(page.get_by_role("button", name="Tile 5: E")).to_be_visible()


def test_a_word_is_given_up_only_when_asked_twice(service: Running, person: NewPerson) -> None:
    """A game without a guess is changed at once."""
    page = person(service.address, *PHONE)
    page.goto("/practice")
    another = page.get_by_role("button", name="Another word")
    expect(another).to_be_visible()
    first = kept(page)["token"]
    another.click()
    expect(another).to_be_enabled()
    page.wait_for_function("first => !localStorage.getItem('wordyard.practice').includes(first)", arg=first)
    guess(page, "eerie", 1)
    begun = kept(page)["token"]
    another.click()
    expect(page.get_by_role("alert")).to_have_text("Give this word up? Press again for another one.")
    assert kept(page)["token"] == begun
    another.click()
    expect(page.get_by_role("group", name="Guess 1 of 6")).to_be_visible()
    assert kept(page)["token"] != begun


def test_a_game_that_the_service_does_not_know_makes_way(service: Running, person: NewPerson) -> None:
    """Its key is gone, say: the page says so and gives another word."""
    page = person(service.address)
    page.goto("/how-to-play")
    sealed = PracticeTokens("another secret key of 32 characters").seal(
        Practice(words=lexicon.newest().edition, secret="crepe")
    )
    game = json.dumps({"token": sealed, "guesses": [{"word": "eerie", "marks": "RIRIC"}], "state": "open"})
    page.evaluate("game => localStorage.setItem('wordyard.practice', game)", game)
    page.goto("/practice")
    expect(page.get_by_role("group", name="Guess 2 of 6")).to_be_visible()
    page.keyboard.type("allot")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="This word cannot be played on. Take another one.")).to_be_visible()
    page.get_by_role("button", name="Another word").click()
    guess(page, "allot", 1)


def test_a_guess_waits_for_the_network(service: Running, person: NewPerson) -> None:
    """It is sent when the connection is back; a page that has no game says that there is none."""
    page = person(service.address, *PHONE)
    begin(page, service, "crepe")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.keyboard.type("eerie")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("No answer yet. Your guess is kept and sent again until it is in.")
    page.context.set_offline(False)
    expect(page.locator(".row .tile.C")).to_have_count(1, timeout=20_000)
    assert marks(page, 1) == "RIRIC"
    page.evaluate("localStorage.clear()")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("No connection.", exact=False)).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("No connection.", exact=False)).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("group", name="Guess 1 of 6")).to_be_visible()


def test_two_pages_that_were_opened_on_one_game_do_no_harm(service: Running, person: NewPerson) -> None:
    """The older page plays on from where it stood."""
    page = person(service.address)
    begin(page, service, "crepe")
    other = page.context.new_page()
    other.goto("/practice")
    guess(page, "eerie", 1)
    guess(other, "allot", 1)
    guess(page, "crepe", 2)
    expect(page.get_by_role("heading", name="Found in 2 guesses")).to_be_visible()
    guess(other, "crepe", 2)
    expect(other.get_by_role("heading", name="Found in 2 guesses")).to_be_visible()

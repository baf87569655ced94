"""People use the solver: by touch in two languages, by keyboard, with faulty boards, by link and without a network."""

import json
import re
from importlib.resources import files

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NewPerson, Running
from tests.e2e.people import accept, guess, invite

pytestmark = pytest.mark.browser

PHONE = (390, 844)


def sentences(language: str) -> dict[str, str]:
    """The catalog of a language."""
    catalog = files("services.api").joinpath("web", "i18n", f"{language}.json").read_text(encoding="utf-8")
    return {str(key): str(sentence) for key, sentence in json.loads(catalog).items()}


def tile(page: Page, row: int, number: int) -> Locator:
    """A tile of the board; rows and tiles count from 1."""
    return page.locator(f'[data-place="{(row - 1) * 5 + number - 1}"]')


def board(page: Page, expected: str) -> None:
    """Wait until the address holds this board; it follows every change."""
    expect(page).to_have_url(re.compile(re.escape(f"/solver#b={expected}") + "$"))


def candidates(page: Page) -> Locator:
    """The words that are shown first."""
    return page.locator(".candidates").first.locator(".candidate")


def clipboard(page: Page) -> str:
    """What was copied last."""
    return str(page.evaluate("navigator.clipboard.readText()"))


def fits(page: Page) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR", "tr-TR"])
def test_a_board_is_entered_by_touch_on_a_phone(service: Running, person: NewPerson, locale: str) -> None:
    """The page is in the language that the browser asks for, its numbers too; the words stay English."""
    page, said = person(service.address, *PHONE, locale=locale), sentences(locale[:2])
    page.goto("/solver")
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    expect(page.get_by_role("heading", name=said["solver.title"], exact=True)).to_be_visible()
    expect(candidates(page)).to_have_count(50)
    expect(candidates(page).first).to_contain_text("tares")
    expect(candidates(page).first).to_contain_text("195,9")
    fits(page)
    for letter in "CRANE":
        page.get_by_role("button", name=letter, exact=True).click()
    tile(page, 1, 2).click()
    tile(page, 1, 5).click()
    tile(page, 1, 5).click()
    board(page, "CRANE.IRIIC")
    expect(tile(page, 1, 2)).to_have_accessible_name(
        said["solver.tile"].format(row=1, tile=2, letter="R", mark=said["solver.mark.R"])
    )
    expect(page.locator('.found-answer[aria-busy="false"]')).to_be_visible()
    count = re.compile(said["solver.count.other"].format(count=r"\d+"))
    expect(page.get_by_role("heading", name=count)).to_be_visible()
    words = candidates(page).locator(".candidate-word").all_inner_texts()
    assert all(re.fullmatch("[A-Z]{5}", word) for word in words)  # no i with a dot on its capital
    assert candidates(page).first.locator('.unseen [lang="en"]').count() == 1
    candidates(page).first.click()
    board(page, f"CRANE.IRIIC_{words[0]}.IIIIC")  # the last letter is known to be green
    fits(page)


def test_a_language_chosen_by_hand_is_kept(service: Running, person: NewPerson) -> None:
    """Each language stands under its own name; the choice outlives the page and reaches the server."""
    page = person(service.address, locale="de-DE")
    page.goto("/solver")
    expect(page.get_by_role("heading", name="Wortfinder", exact=True)).to_be_visible()
    picker = page.get_by_role("combobox", name="Sprache")
    names = picker.locator("option").all_inner_texts()
    assert len(names) == 13
    assert {"English", "Deutsch", "Français", "Polski", "Türkçe", "Norsk bokmål"} <= set(names)
    picker.select_option("Polski")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    title = sentences("pl")["solver.title"]
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    page.goto("/how-to-play")
    expect(page.get_by_role("heading", name=sentences("pl")["nav.help"], exact=True)).to_be_visible()
    assert '<html lang="pl"' in page.request.get("/solver").text()


def test_a_board_is_entered_by_keyboard_alone(service: Running, person: NewPerson) -> None:
    """Letters, arrows, digits, Enter and Space, Backspace, undo; and a candidate by Enter."""
    page = person(service.address)
    page.goto("/solver")
    expect(candidates(page)).to_have_count(50)
    page.keyboard.type("crane")
    board(page, "CRANE.IIIII")
    page.keyboard.press("ArrowUp")
    expect(tile(page, 1, 1)).to_be_focused()
    page.keyboard.type("12311")
    board(page, "CRANE.IRCII")
    expect(tile(page, 2, 1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    board(page, "CRANE.IRCIR")
    page.keyboard.press("Space")
    board(page, "CRANE.IRCIC")
    page.keyboard.press("Backspace")
    board(page, "CRAN-.IRCI-")
    page.keyboard.type("k")
    board(page, "CRANK.IRCII")
    page.keyboard.press("Control+z")
    board(page, "CRAN-.IRCI-")
    page.keyboard.press("Control+z")
    board(page, "CRANE.IRCIC")
    expect(page.locator('.found-answer[aria-busy="false"]')).to_be_visible()
    candidates(page).first.focus()
    word = candidates(page).first.locator(".candidate-word").inner_text().upper()
    page.keyboard.press("Enter")
    expect(tile(page, 2, 1)).to_be_focused()
    expect(tile(page, 2, 1)).to_have_accessible_name(f"Row 2, tile 1: {word[0]}, gray")
    log = page.locator('[role="log"]')
    expect(log).to_contain_text(
        re.compile(r"\d+ words are possible\. The best guess is [A-Z]{5}\.|One word is possible")
    )
    expect(log).to_contain_text("Row 1, tile 5: E, green")


def test_impossible_colours_are_shown_on_their_two_tiles(service: Running, person: NewPerson) -> None:
    """A gray letter left of a yellow one, as no game gives it; swapping the two makes it right."""
    page = person(service.address, *PHONE)
    page.goto("/solver#b=EERIE.IRRIC")
    expect(page.get_by_role("heading", name="No game gives these colours")).to_be_visible()
    expect(
        page.get_by_text("Row 1: the E on tile 1 is gray and the E on tile 2 is yellow.", exact=False)
    ).to_be_visible()
    expect(page.locator('[aria-invalid="true"]')).to_have_count(2)
    for number in (1, 2):
        expect(tile(page, 1, number)).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Swap the two colours").click()
    board(page, "EERIE.RIRIC")
    expect(page.locator('[aria-invalid="true"]')).to_have_count(0)
    expect(candidates(page).first).to_be_visible()


def test_rows_that_contradict_each_other_are_marked(service: Running, person: NewPerson) -> None:
    """Only the rows of the smallest set, by their numbers on the page."""
    page = person(service.address)
    page.goto("/solver#b=MOUNT.IIIII_CRANE.CIIII_SLATE.IICII")
    expect(page.get_by_text("Rows 2 and 3 cannot all be right", exact=False)).to_be_visible()
    for row, name in ((1, "Row 1"), (2, "Row 2, does not fit"), (3, "Row 3, does not fit")):
        expect(page.get_by_role("row").nth(row - 1)).to_have_accessible_name(name)
    page.goto("/solver")
    page.goto("/solver#b=CRANE.CCCCR")
    expect(page.get_by_text("Row 1 cannot be right by itself", exact=False)).to_be_visible()


def test_an_unknown_guess_is_left_out_and_named(service: Running, person: NewPerson) -> None:
    """All other rows count."""
    page = person(service.address)
    page.goto("/solver#b=CRANE.IRCII_ZZZZZ.IIIII")
    expect(page.get_by_text("Row 2 is left out, since ZZZZZ is not in the word list.", exact=False)).to_be_visible()
    expect(page.get_by_role("row").nth(1)).to_have_accessible_name("Row 2, left out")
    expect(page.get_by_role("heading", name="60 words can still be the answer")).to_be_visible()
    page.get_by_role("button", name="Delete row 1").click()
    expect(page.get_by_text("50 of 8,636 are shown.")).to_be_visible()
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    expect(page.get_by_role("button", name="Words that split better")).to_have_count(0)


def test_rows_that_agree_but_fit_no_word_are_told_as_that(service: Running, person: NewPerson) -> None:
    """The answer may be a word that the list does not have."""
    page = person(service.address)
    page.goto("/solver#b=XYLEM.CIIII")
    expect(page.get_by_role("heading", name="No word in the list fits")).to_be_visible()
    expect(page.get_by_text("none of the 8,636 words fits them", exact=False)).to_be_visible()
    expect(page.locator(".candidate")).to_have_count(0)


def test_a_missing_letter_is_shown_once_somebody_is_in_another_row(service: Running, person: NewPerson) -> None:
    """While it is being typed, an unfinished row is no fault; only the finished ones are sent."""
    page = person(service.address)
    sent: list[str] = []
    page.on(
        "request", lambda request: sent.append(request.post_data or "") if "/api/v1/solver" in request.url else None
    )
    page.goto("/solver#b=CRANE.IRCII_SMA--.III--")
    expect(candidates(page).first).to_be_visible()
    expect(page.locator('[aria-invalid="true"]')).to_have_count(0)
    tile(page, 2, 4).click()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("Row 2, tile 4: a letter is missing.", exact=False)).to_be_visible()
    expect(tile(page, 2, 4)).to_have_attribute("aria-invalid", "true")
    assert [json.loads(body)["rows"] for body in sent] == [[{"guess": "crane", "marks": "IRCII"}]]


def test_a_link_brings_the_board_back(service: Running, person: NewPerson) -> None:
    """In another browser, and by going back."""
    ann, bob = person(service.address), person(service.address, *PHONE)
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.goto("/solver")
    expect(candidates(ann)).to_have_count(50)
    ann.keyboard.type("crane")
    board(ann, "CRANE.IIIII")
    ann.get_by_role("button", name="Copy link").click()
    expect(ann.get_by_text("Copied.")).to_be_visible()
    bob.goto(clipboard(ann))
    expect(tile(bob, 1, 5)).to_have_accessible_name("Row 1, tile 5: E, gray")
    ann.get_by_role("link", name="How the solver works").click()
    expect(ann.get_by_role("heading", name="Repeated letters")).to_be_visible()
    ann.go_back()
    board(ann, "CRANE.IIIII")
    expect(tile(ann, 1, 1)).to_have_accessible_name("Row 1, tile 1: C, gray")
    ann.get_by_role("link", name="Why is that?").click()
    expect(ann.get_by_role("heading", name="The order", exact=True)).to_be_in_viewport()
    ann.get_by_role("link", name="To the solver").click()
    board(ann, "CRANE.IIIII")


def test_a_board_is_copied_as_text_and_pasted_back(service: Running, person: NewPerson) -> None:
    """The text is a share grid with its words."""
    page = person(service.address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/solver#b=CRANE.IRCII")
    page.get_by_role("button", name="Copy as text").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert clipboard(page) == "⬛🟨🟩⬛⬛ CRANE"
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile("/solver$"))
    page.keyboard.press("Control+v")
    board(page, "CRANE.IRCII")


def test_a_share_grid_is_pasted_and_its_words_typed(service: Running, person: NewPerson) -> None:
    """Colours first: they stay while the letters come."""
    page = person(service.address, *PHONE)
    page.goto("/solver")
    page.get_by_role("button", name="Paste").click()
    page.get_by_label("Text of the board").fill("Game 7 2/6\n⬜🟦🟧⬜⬜\n🟩🟩🟩🟩🟩")
    page.get_by_role("button", name="Use this text").click()
    expect(page.get_by_text("2 rows taken. These are colours alone. Now type the guesses.")).to_be_visible()
    page.keyboard.type("crane")
    board(page, "CRANE.IRCII_-----.CCCCC")
    expect(page.get_by_role("heading", name="60 words can still be the answer")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Undo").click()
    board(page, "CRANE.IRCII_-----.CCCCC")


def test_more_words_and_words_that_split_better_come_on_asking(service: Running, person: NewPerson) -> None:
    """Fifty at first; of a rhyme trap it is told, and its way out is not legal in hard mode."""
    page = person(service.address)
    page.goto("/solver#b=CRANE.IRCII")
    expect(candidates(page)).to_have_count(50)
    expect(page.get_by_text("50 of 60 are shown.")).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    expect(candidates(page)).to_have_count(60)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    page.goto("/solver")
    page.goto("/solver#b=CATCH.ICCCC")
    expect(page.get_by_role("heading", name="A rhyme trap")).to_be_visible()
    expect(candidates(page)).to_have_count(8)
    page.get_by_role("button", name="Words that split better").click()
    expect(page.get_by_text("Not legal in hard mode")).to_be_visible()
    expect(page.get_by_role("list", name="Words that split better").locator(".candidate").first).to_be_visible()


def test_a_finished_board_is_looked_back_on(service: Running, person: NewPerson) -> None:
    """What each guess left, what the best would have left, skill and luck."""
    page = person(service.address, *PHONE)
    page.goto("/solver#b=SLATE.IIIIC_CRIME.RCCIC_PRICE.CCCCC")
    expect(page.get_by_role("heading", name="Found in 3 guesses")).to_be_visible()
    page.get_by_role("button", name="Look back on this board").click()
    rows = page.locator(".review > li")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("8,636")
    expect(rows.first).to_contain_text("tares")
    expect(rows.last).to_contain_text("This was the best guess.")
    expect(page.get_by_role("heading", name="Looking back")).to_be_focused()
    fits(page)


def test_an_ended_duel_is_looked_back_on(service: Running, person: NewPerson) -> None:
    """Both sides, made by the worker when somebody asks; each can be opened in the solver."""
    ann, bob = person(service.address), person(service.address, *PHONE)
    accept(bob, invite(ann, "crepe"), "banal")
    guess(bob, "eerie")
    expect(bob.get_by_text("eerie: E another spot", exact=False).first).to_be_attached()
    guess(bob, "crepe")
    guess(ann, "banal")
    for page in (ann, bob):
        page.get_by_role("button", name="Look back on the guesses").click()
        expect(page.get_by_role("heading", name="Your guesses")).to_be_visible(timeout=30_000)
        expect(page.locator(".review > li")).to_have_count(3)
        fits(page)
    bob.get_by_role("link", name="Open in the solver").first.click()
    board(bob, "EERIE.RIRIC_CREPE.CCCCC")


def test_the_page_works_without_a_connection(service: Running, person: NewPerson) -> None:
    """Openings, entry, links, checks, languages and an unordered list; the order comes back with the network."""
    page = person(service.address, *PHONE)
    page.goto("/solver")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto("/solver#")
    page.reload()
    expect(candidates(page)).to_have_count(50)
    page.keyboard.type("catch")
    tile(page, 1, 1).click()
    page.keyboard.press("Control+z")
    for number in (2, 3, 4, 5):
        tile(page, 1, number).click()
        tile(page, 1, number).click()
    board(page, "CATCH.ICCCC")
    expect(page.get_by_role("heading", name="8 words can still be the answer")).to_be_visible()
    expect(page.get_by_text("No connection. These are the words that fit", exact=False)).to_be_visible()
    words = [word.upper() for word in candidates(page).locator(".candidate-word").all_inner_texts()]
    assert words == ["BATCH", "HATCH", "LATCH", "MATCH", "NATCH", "PATCH", "RATCH", "WATCH"]
    page.keyboard.type("zzzzz")
    expect(page.get_by_text("Row 2 is left out, since ZZZZZ is not in the word list.", exact=False)).to_be_visible()
    page.get_by_role("button", name="Delete row 2").click()
    page.keyboard.type("eerie")
    tile(page, 2, 2).click()
    expect(page.get_by_role("heading", name="No game gives these colours")).to_be_visible()
    page.get_by_role("button", name="Delete row 2").click()
    page.get_by_role("combobox", name="Language").select_option("Suomi")
    expect(page.get_by_role("heading", name=sentences("fi")["solver.title"], exact=True)).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".candidate-left").first).to_be_visible(timeout=30_000)
    expect(page.locator(".trap")).to_be_visible()


def test_the_help_explains_repeated_letters_the_list_and_the_number(service: Running, person: NewPerson) -> None:
    """With tiles that are told in words too."""
    page = person(service.address, *PHONE, "dark")
    page.goto("/solver/help#order")
    for name in ("Repeated letters", "The word list", "The number", "The order", "Looking back", "By keyboard"):
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(page.get_by_text("the 8,636 five-letter words of ENABLE", exact=False)).to_be_visible()
    expect(page.get_by_text("eerie: E another spot, E not once more, R another spot", exact=False)).to_be_attached()
    expect(page.get_by_text("or 7.2.", exact=False)).to_be_visible()
    fits(page)

"""How a day went, on the page: places that are shared, a board of many pages, rivals, and looking back."""

import httpx
import pytest
from playwright.sync_api import expect

from libs.runtime import ids
from tests.e2e.conftest import NewPerson, Running
from tests.e2e.dailies import guess, word_of, wrong
from tests.e2e.people import accept, invite, sign_in

pytestmark = pytest.mark.browser

PAGE = 20


def solved_by(service: Running, *words: str) -> None:
    """An account that makes these guesses, without a browser."""
    email = f"{ids.new_id()}@example.org"
    with httpx.Client(base_url=f"{service.address}/api/v1", trust_env=False, timeout=20) as program:

        def post(path: str, body: dict[str, str]) -> httpx.Response:
            return program.post(path, json=body).raise_for_status()

        program.headers["X-CSRF-Token"] = post("/session/guest", {}).json()["csrf"]
        post("/sign-in/email", {"email": email})
        mails = program.get("/outbox").raise_for_status().json()["mails"]
        token = next(mail["text"] for mail in mails if mail["to"] == email).split("/sign-in#")[1].split()[0]
        program.headers["X-CSRF-Token"] = post("/sign-in/confirm", {"token": token}).json()["csrf"]
        for word in words:
            post("/daily/guesses", {"word": word})


@pytest.mark.timeout(200)
def test_a_board_of_many_goes_on_where_it_was_cut(service: Running, person: NewPerson) -> None:
    """Solved with the first guess takes no time, so all of these share the first place; the next one is behind them."""
    word = word_of(service)
    for _ in range(PAGE + 2):
        solved_by(service, word)
    page = person(service.address, 390, 844)
    sign_in(page, service.address, f"{ids.new_id()}@example.org")
    page.goto("/daily")
    guess(page, wrong(service)[0], 1)
    guess(page, word, 2)
    board = page.locator("section.card", has=page.get_by_role("heading", name="Leaderboard"))
    expect(board).to_contain_text(f"Your place: {PAGE + 3}")
    places = board.locator("tbody tr")
    expect(places).to_have_count(PAGE)
    board.get_by_role("button", name="Show more").click()
    expect(places).to_have_count(PAGE + 3)
    expect(board.get_by_role("button", name="Show more")).to_have_count(0)
    firsts = board.locator("tbody .place").all_inner_texts()
    assert firsts == ["1"] * (PAGE + 2) + [str(PAGE + 3)]
    expect(places.last).to_contain_text("You")
    bars = page.locator("section.card", has=page.get_by_role("heading", name="Everyone")).get_by_role("listitem")
    expect(bars.first).to_contain_text(f"1 guess: {PAGE + 2}")
    expect(bars.nth(1)).to_contain_text("2 guesses: 1, You")


def test_a_second_guest_of_an_address_is_told_why_the_own_bar_is_empty(service: Running, person: NewPerson) -> None:
    first, second = person(service.address), person(service.address, 390, 844)
    told = "Guests at one network address count here once"
    first.goto("/daily")
    guess(first, word_of(service), 1)
    expect(first.get_by_role("heading", name="Everyone")).to_be_visible()
    expect(first.get_by_text(told)).to_have_count(0)
    second.goto("/daily")
    for number, word in enumerate((*wrong(service)[:2], word_of(service)), 1):
        guess(second, word, number)
    expect(second.get_by_text(told)).to_be_visible()
    own = second.locator("section.card", has=second.get_by_role("heading", name="Everyone")).locator(".own")
    expect(own).to_contain_text("3 guesses: 0, You")


def test_rivals_are_compared_and_guesses_looked_back_on(service: Running, person: NewPerson) -> None:
    ann, bob = person(service.address), person(service.address)
    for page in (ann, bob):
        sign_in(page, service.address, f"{ids.new_id()}@example.org")
    accept(bob, invite(ann, "crepe"), "banal")
    for page in (ann, bob):
        page.goto("/daily")
    first, second, *_ = wrong(service)
    guess(ann, word_of(service), 1)
    rivals = ann.locator("section.card", has=ann.get_by_role("heading", name="Rivals", exact=True))
    expect(rivals.get_by_role("listitem")).to_contain_text("not yet")
    for number, word in enumerate((first, second, word_of(service)), 1):
        guess(bob, word, number)
    rivals = bob.locator("section.card", has=bob.get_by_role("heading", name="Rivals", exact=True))
    expect(rivals.get_by_role("listitem")).to_contain_text("solved at the first guess, in 0.0 s")
    bob.get_by_role("button", name="Look back on the guesses").click()
    expect(bob.locator(".review > li")).to_have_count(3, timeout=30_000)
    expect(bob.get_by_role("heading", name="Looking back")).to_be_focused()

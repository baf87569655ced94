"""The Daily in the browser tests: its words, guesses, and everything that a page is told."""

from datetime import date

from playwright.sync_api import Page, Route, expect

from libs.core.calendar import eastern_day
from libs.runtime.clock import clock
from tests.e2e.conftest import Running
from tests.e2e.vocabulary import word_in

WRONG = ("slate", "crane", "eerie", "allot", "sassy", "geese", "jumbo")


def today() -> date:
    """The Eastern day of a service whose clock is not shifted."""
    return eastern_day(clock()())


def word_of(service: Running, day: date | None = None) -> str:
    """The word of a day of this service; today's, if none is given."""
    return word_in(service.data, day or today())


def wrong(service: Running, day: date | None = None) -> list[str]:
    """Six words that the day's is none of."""
    return [one for one in WRONG if one != word_of(service, day)][:6]


def guess(page: Page, word: str, number: int) -> None:
    """Type a word, send it, and wait until it is guess `number`, on the board or in the result."""
    expect(page.locator(".keys")).to_be_visible()
    page.keyboard.type(word)
    page.keyboard.press("Enter")
    rows(page, number)


def rows(page: Page, number: int) -> None:
    """So many guesses are marked."""
    expect(page.locator(".board .row .tile.C, .board .row .tile.R, .board .row .tile.I")).to_have_count(5 * number)


class Overheard:
    """Everything that the service tells a page: answers of the API and frames of sockets."""

    def __init__(self, page: Page) -> None:
        self._told: list[str] = []
        page.route("**/api/**", self._answer)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self._told.append(str(frame))))

    @property
    def told(self) -> str:
        """All of it, in lower case."""
        return "\n".join(self._told).lower()

    def _answer(self, route: Route) -> None:
        answer = route.fetch()
        self._told.append(f"{answer.url} {answer.headers} {answer.text()}")
        route.fulfill(response=answer)

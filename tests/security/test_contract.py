"""Whatever is asked of the API, right or wrong, the answer is one that the OpenAPI document names, and never a 5xx."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import schemathesis
from msgspec.structs import replace
from schemathesis.core.failures import FailureGroup

from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from tests.security.contract import MODES, SECONDS, SEED, Operation, Who, ask_at_random, can_be
from tests.services.api.operating import OLGA
from tests.services.api.player import Player, duel
from tests.services.api.service import Service, running
from tests.services.solver.fleets import fleet
from tests.services.solver.push_endpoint import PUSH_KEY


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[Service]:
    migrate(settings.postgres_url)
    own = replace(settings, outbox=True, operators=(OLGA,), push_key=PUSH_KEY)
    with running(own) as service, fleet(own):
        yield service


def browser(player: Player) -> Who:
    cookies = "; ".join(f"{name}={value}" for name, value in player.http.cookies.items())
    return Who(player.name, {"Cookie": cookies, "X-CSRF-Token": player.csrf, "Origin": player.service.url})


async def known(ann: Player, bob: Player, others: list[Player]) -> dict[str, list[str]]:
    """Things that there are, by the names that the document gives them."""
    game, other = await duel(ann, bob), await duel(bob, ann)
    said = await ann.post(f"/games/{game}/chat", {"text": "hello"})
    invites = [(await player.post("/invites", {"kind": "duel", "secret": "crepe"}))["token"] for player in (ann, bob)]
    today = await ann.get("/daily")
    return {
        "game": [game, other],
        "message": [str(said["id"])],
        "token": invites,
        "player_id": [other.id for other in others],
        "day": [today["day"], "2026-01-01"],
        "session_id": [session["id"] for session in (await bob.get("/me/sessions"))["sessions"]],
    }


@asynccontextmanager
async def players(service: Service) -> AsyncIterator[list[Player]]:
    """A guest, an account and an operator, who will ask; a guest and an account, of whom will be asked."""
    async with AsyncExitStack() as stack:
        ann, bob, olga, cy, dan = [await stack.enter_async_context(Player(service)) for _ in range(5)]
        for guest in (ann, cy):
            await guest.enter()
        for account, address in ((bob, "bob@words.example"), (olga, OLGA), (dan, "dan@words.example")):
            await account.sign_in(address)
        yield [ann, bob, olga, cy, dan]


def companies(operations: list[Operation]) -> list[list[Operation]]:
    """Those that the same players can be asked one after another; what may end a session is asked by new ones."""
    ending = [one for one in operations if one.method == "delete" or one.path.endswith("/session/guest")]
    return [[one for one in operations if one not in ending], *([one] for one in ending)]


@pytest.mark.timeout(SECONDS * 4 + 120)
@pytest.mark.parametrize("mode", MODES)
async def test_every_answer_is_one_that_the_document_names(service: Service, mode: str) -> None:
    print(f"WORDYARD_FUZZ_SEED={SEED}")  # noqa: T201 - shown with a failure, to make the same requests again
    document = schemathesis.openapi.from_url(f"{service.url}/schema/openapi.json")
    every = [found.ok() for found in document.get_all_operations()]
    operations = [operation for operation in every if can_be(mode, operation)]
    assert len(operations) > len(every) / 2
    wrong: dict[str, BaseException] = {}
    for some in companies(operations):
        async with players(service) as (ann, bob, olga, *others):
            things = await known(ann, bob, others)
            askers = [*map(browser, (ann, bob, olga)), Who("nobody", {}), Who("forger", {"Authorization": "Bearer x"})]
            for operation in some:
                until = time.monotonic() + SECONDS / len(MODES) / len(operations)
                try:
                    ask_at_random(operation, mode, service.url, askers, things, until)
                except (Exception, FailureGroup) as error:  # each is asked, whatever another one has answered
                    wrong[operation.label] = error
    assert not wrong, "\n\n".join(f"{label}: {error}" for label, error in wrong.items())

"""The word lists: public, so that everybody can check what counts as a word. Each edition is for ever the same."""

from functools import cache

from litestar import get
from msgspec import Struct

from libs.core import lexicon
from services.api.doc import answers, problems
from services.api.files import CHECK_AGAIN, FOR_EVER, File
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request

PREFIX = "/api/v1"
KINDS = ("guesses", "secrets")


class WordList(Struct):
    """How many words there are, and where."""

    count: int
    url: str


class Words(Struct):
    """The edition that new games start with."""

    edition: str
    guesses: WordList
    secrets: WordList


@cache
def _file(edition: str, kind: str, cache_control: str) -> File:
    words = lexicon.words(edition, kind)
    return File(".txt", "".join(f"{word}\n" for word in words).encode(), cache_control)


@get("/words", summary="The word lists", responses=answers(Words) | problems())
async def words(request: Request) -> Reply:
    """Where the lists of the newest edition are."""
    newest = lexicon.newest()
    counts = {"guesses": len(newest.guesses), "secrets": len(newest.secrets)}
    lists = {kind: WordList(counts[kind], f"{PREFIX}/words/{newest.edition}/{kind}.txt") for kind in KINDS}
    return reply(Words(edition=newest.edition, **lists)).add("cache-control", CHECK_AGAIN)


@get("/words/guesses", summary="All words that may be guessed", media_type="text/plain", responses=problems())
async def guesses(request: Request) -> Reply:
    """The newest edition's list, one word on a line."""
    return _file(lexicon.newest().edition, "guesses", CHECK_AGAIN).reply(request.visit.headers)


@get(
    ["/words/{edition:str}/guesses.txt", "/words/{edition:str}/secrets.txt"],
    summary="A word list of an edition",
    media_type="text/plain",
    responses=problems("not_found"),
)
async def edition(request: Request, edition: str) -> Reply:
    """One word on a line, in alphabetical order; it never changes."""
    kind = request.scope["path"].rpartition("/")[2].removesuffix(".txt")
    if edition not in lexicon.editions():
        raise Problem("not_found")
    return _file(edition, kind, FOR_EVER).reply(request.visit.headers)

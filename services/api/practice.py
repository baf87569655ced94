"""Practice: a word to find, alone and as often as one likes. Nothing is stored: the sealed token is the game."""

from litestar import post
from msgspec import Struct

from libs.core import lexicon, practice
from libs.core.practice import Marked, Practice, State
from libs.runtime import ids
from services.api.doc import answers, problems
from services.api.moves import Nothing
from services.api.parts import Parts
from services.api.replies import Reply, reply
from services.api.visits import Request


class Sealed(Struct, frozen=True, kw_only=True):
    """A game of Practice: `token` is what goes on with it, `word` the secret once the game is over."""

    token: str
    guesses: tuple[Marked, ...]
    state: State
    word: str | None


class PracticeGuess(Struct, forbid_unknown_fields=True):
    """A guess at the game of this token."""

    token: str
    word: str


@post("/practice", summary="Begin to practise", status_code=200, responses=answers(Sealed) | problems("csrf"))
async def begin(request: Request, data: Nothing | None = None) -> Reply:
    """A secret by chance. Needs no session and no request key; nothing is stored."""
    words = lexicon.newest()
    return _told(request.parts, Practice(words=words.edition, secret=ids.one_of(words.secrets)))


@post(
    "/practice/guesses",
    summary="Guess a word in Practice",
    status_code=200,
    responses=answers(Sealed) | problems("practice_token", "letters", "unknown_word", "finished", "csrf"),
)
async def guess(request: Request, data: PracticeGuess) -> Reply:
    """The game after this guess, with a new token; the one before still stands for the game as it was."""
    game = request.parts.practice.open(data.token)
    return _told(request.parts, practice.guess(game, data.word))


def _told(parts: Parts, game: Practice) -> Reply:
    seen = practice.view(game)
    return reply(Sealed(token=parts.practice.seal(game), guesses=seen.guesses, state=seen.state, word=seen.word))

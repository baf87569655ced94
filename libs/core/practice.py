"""Practice: alone against a secret, without a clock and without events. The whole game is one value."""

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from libs.core import lexicon
from libs.core.games.guesses import finished, solved
from libs.core.marks import letters, mark
from libs.core.refusals import Reason, Refused

State: TypeAlias = Literal["open", "solved", "failed"]


class Practice(Struct, frozen=True, kw_only=True):
    """A game of Practice; `words` is the edition of the lists that it keeps, every word is lower case."""

    words: str
    secret: str
    guesses: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """The marks of the guesses."""
        return tuple(mark(guess, self.secret) for guess in self.guesses)


class Marked(Struct, frozen=True, kw_only=True):
    """A guess and its marks."""

    word: str
    marks: str


class View(Struct, frozen=True, kw_only=True):
    """What the player may see of a game: `word` is the secret, once the game is over."""

    guesses: tuple[Marked, ...]
    state: State
    word: str | None


def guess(game: Practice, text: str) -> Practice:
    """The game after one more guess, which may be one of those before. Raises `Refused`."""
    if finished(game.rows):
        raise Refused(Reason.FINISHED)
    word = letters(text)
    if word not in lexicon.edition(game.words).guesses:
        raise Refused(Reason.UNKNOWN_WORD)
    return replace(game, guesses=(*game.guesses, word))


def view(game: Practice) -> View:
    """The game as its player sees it."""
    rows = game.rows
    over = finished(rows)
    return View(
        guesses=tuple(Marked(word=word, marks=marks) for word, marks in zip(game.guesses, rows, strict=True)),
        state="solved" if solved(rows) else "failed" if over else "open",
        word=game.secret if over else None,
    )

"""The sentences of notices, in every language; a catalog each in `texts/`."""

from functools import cache
from importlib.resources import files

from msgspec import Struct, json

from libs.core.notices.occasions import Occasion

_TEXTS = files("libs.core").joinpath("notices", "texts")


class Told(Struct, frozen=True, kw_only=True):
    """A notice in words: what the whole of it is, and a sentence more."""

    title: str
    text: str


def told(language: str, occasion: Occasion, name: str = "") -> Told:
    """What a player who reads this language is told; `name`: of whom, if of anybody. English if we do not speak it."""
    texts = catalog(language)
    title, text = (texts[f"{occasion}.{part}"].replace("{name}", name) for part in ("title", "text"))
    return Told(title=title, text=text)


def mail(language: str, told: Told, url: str, stop: str) -> str:
    """The body of a mail that tells this; `stop` is where one says that no more shall come."""
    texts = catalog(language)
    return f"{texts['mail.greeting']}\n\n{told.title}. {told.text}\n\n{url}\n\n--\n{texts['mail.stop']}\n{stop}\n"


@cache
def languages() -> tuple[str, ...]:
    """The languages that there is a catalog for."""
    return tuple(sorted(file.name.removesuffix(".json") for file in _TEXTS.iterdir()))


@cache
def catalog(language: str) -> dict[str, str]:
    """The sentences of a language by their keys; the English ones if we do not speak it."""
    name = language if language in languages() else "en"
    return json.decode(_TEXTS.joinpath(f"{name}.json").read_bytes(), type=dict[str, str])

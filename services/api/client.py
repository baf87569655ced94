"""The files of the browser client: web/ and the one library it uses, read once at start."""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from posixpath import dirname, join, normpath

import msgspec
import structlog

from libs.core import lexicon
from libs.core.solver_openings import KIND, openings
from services.api.files import TYPES, File
from services.api.languages import LANGUAGES, VARY, language
from services.api.replies import Reply

log = structlog.get_logger()

FOLDERS = ("app", "css", "i18n", "icons")
LIBRARY = "node_modules/lit-html"
HOLES = {b"__DESCRIPTION__": "lang.description", b"__NO_SCRIPT__": "lang.no_script"}

_WANTED = re.compile(rb"""["']/vendor/([\w./-]+\.js)["']""")
_RELATIVE = re.compile(rb"""(?:from|import)\s*["'](\.[\w./-]+\.js)["']""")


class Client:
    """All files, read once; the release is the hash of them all."""

    def __init__(self) -> None:
        web = files("services.api").joinpath("web")
        own = dict(_own(web))
        vendor = _vendor(web.joinpath(LIBRARY), own.values())
        static = {f"/static/{name}": content for name, content in own.items() if "/" in name or name == "manifest.json"}
        served = static | _words() | _notice() | {f"/vendor/{name}": content for name, content in vendor.items()}
        page, worker = own.get("index.html", b""), own.get("sw.js", b"")
        everything = sorted([*served.items(), ("/", page), ("/sw.js", worker)])
        self.release = sha256(b"".join(b"%b\0%b\0" % (name.encode(), body) for name, body in everything)).hexdigest()[
            :16
        ]
        self.files = {name: File(name, content) for name, content in served.items()}
        self._pages = {tongue: File("index.html", _page(page, tongue, own), vary=VARY) for tongue in LANGUAGES}
        self.worker = File("sw.js", self._filled(worker, sorted(served)))

    def page(self, headers: Mapping[bytes, bytes], status: int = 200) -> Reply:
        """The page that every address shows, in the language of whoever sent these headers."""
        tongue = language(headers)
        return self._pages[tongue].reply(headers, status).add("content-language", tongue)

    def _filled(self, worker: bytes, names: list[str]) -> bytes:
        release = self.release.encode()
        return worker.replace(b"__RELEASE__", release).replace(b"__FILES__", msgspec.json.encode(names))


def _page(page: bytes, tongue: str, own: Mapping[str, bytes]) -> bytes:
    """The page in a language: what it says before any of its scripts runs."""
    english, catalog = (msgspec.json.decode(own.get(f"i18n/{name}.json", b"{}")) for name in ("en", tongue))
    sentences = {hole: (english | catalog).get(key, "") for hole, key in HOLES.items()}
    for hole, sentence in (sentences | {b"__LANGUAGE__": tongue}).items():
        page = page.replace(hole, escape(sentence).encode())
    return page


def _words() -> dict[str, bytes]:
    """What the solver's page needs where there is no connection: its openings, and its words."""
    edition = lexicon.newest().edition
    return {
        "/static/words/openings.json": msgspec.json.encode(openings(edition).openings),
        "/static/words/solver.txt": "".join(f"{word}\n" for word in lexicon.words(edition, KIND)).encode(),
    }


def _notice() -> dict[str, bytes]:
    """Whose words and works these are, for the page that says so."""
    file = Path(__file__).parents[2] / "NOTICE"
    return {"/static/NOTICE.txt": file.read_bytes()} if file.is_file() else {}


def _own(web: Traversable) -> Iterable[tuple[str, bytes]]:
    for name in ("index.html", "sw.js", "manifest.json"):
        if web.joinpath(name).is_file():
            yield name, web.joinpath(name).read_bytes()
    for folder in FOLDERS:
        if web.joinpath(folder).is_dir():
            yield from _walk(web.joinpath(folder), folder)


def _walk(folder: Traversable, path: str) -> Iterable[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, name)
        elif any(entry.name.endswith(ending) for ending in TYPES):
            yield name, entry.read_bytes()


def _vendor(library: Traversable, sources: Iterable[bytes]) -> dict[str, bytes]:
    """What our files import of the library, and what that imports in turn."""
    found: dict[str, bytes] = {}
    wanted = {name.decode() for source in sources for name in _WANTED.findall(source)}
    while wanted:
        name = wanted.pop()
        file = library.joinpath(*name.split("/"))
        if ".." in name or not file.is_file():
            log.error("file of the client is missing: run npm ci in services/api/web", file=name)
            continue
        found[name] = file.read_bytes()
        inner = (normpath(join(dirname(name), path.decode())) for path in _RELATIVE.findall(found[name]))
        wanted |= set(inner) - found.keys()
    return found

"""Editions of the word lists on disk: made from the sources, compared with the newest, written with a manifest."""

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, json
from msgspec.structs import replace

from services.cli.words_recipe import HandWritten, Sources, build
from services.cli.words_sources import PACKAGES, Package

EDITIONS = "editions.txt"
MANIFEST = "manifest.json"
HAND_WRITTEN = "sources"
NOT_IN_EDITION = {"crude"}  # for names and chat; no game rests on it, so it may change without a new edition


class Listed(Struct, frozen=True):
    """One list as it stands in the manifest; the hash is that of the whole file."""

    words: int
    sha256: str


class Manifest(Struct, frozen=True, kw_only=True):
    """What an edition holds, and what it was made from."""

    edition: str
    daily_from: date | None = None  # the first Eastern day whose word the Daily takes from it; none: it never did
    lists: Mapping[str, Listed]
    packages: Sequence[Package]
    hand_written: Mapping[str, str]  # name of the list -> sha256 of the file


class Difference(Struct, frozen=True):
    """What a new edition would change in one list."""

    words: int
    adds: Sequence[str]
    drops: Sequence[str]


class Edition(Struct, frozen=True):
    """A built edition: its manifest, and every list by its name."""

    manifest: Manifest
    lists: Mapping[str, Sequence[str]]


def hand_written(folder: Path) -> HandWritten:
    """The project's own lists in `folder`/sources. Raises `FileNotFoundError` where one is missing."""
    return HandWritten(**{name: load(_own(folder, name)) for name in HandWritten.__struct_fields__})


def make(sources: Sources, folder: Path) -> Edition:
    """Builds all lists from the sources and the hand-written files in `folder`. Writes nothing."""
    lists = build(sources, hand_written(folder))
    listed = {name: Listed(len(words), _digest(text(words))) for name, words in lists.items()}
    return Edition(
        Manifest(
            edition=edition_name({name: entry.sha256 for name, entry in listed.items()}),
            lists=listed,
            packages=PACKAGES,
            hand_written={
                name: sha256(_own(folder, name).read_bytes()).hexdigest() for name in HandWritten.__struct_fields__
            },
        ),
        lists,
    )


def edition_name(hashes: Mapping[str, str]) -> str:
    """The name of an edition: eight hex digits that change when any list changes that games rest on."""
    return _digest("".join(f"{name} {hashes[name]}\n" for name in sorted(hashes.keys() - NOT_IN_EDITION)))[:8]


def compare(edition: Edition, folder: Path) -> dict[str, Difference]:
    """List by list, what this edition adds to and drops from the newest one in `folder` (nothing, if it is first)."""
    names = load(folder / EDITIONS) if (folder / EDITIONS).exists() else []
    differences = {}
    for name, words in edition.lists.items():
        file = folder / names[-1] / f"{name}.txt" if names else None
        before = set(load(file)) if file and file.exists() else set()
        differences[name] = Difference(len(words), sorted({*words} - before), sorted(before - {*words}))
    return differences


def write(edition: Edition, folder: Path, daily_from: date | None = None) -> Path:
    """Writes the edition into a folder of its own name, and names it as the newest; older editions stay as they are.

    The Daily takes its words from it from that day on; without one, as it did before.
    """
    home = folder / edition.manifest.edition
    manifest = replace(edition.manifest, daily_from=daily_from or _daily_from(home / MANIFEST))
    home.mkdir(exist_ok=True)
    for name, words in edition.lists.items():
        (home / f"{name}.txt").write_text(text(words), encoding="utf-8", newline="\n")
    (home / MANIFEST).write_bytes(json.format(json.encode(manifest), indent=2) + b"\n")
    index = folder / EDITIONS
    names = load(index) if index.exists() else []
    if edition.manifest.edition not in names:
        index.write_text(text([*names, edition.manifest.edition]), encoding="utf-8", newline="\n")
    return home


def load(file: Path) -> list[str]:
    """The lines of a list."""
    return file.read_text(encoding="utf-8").split("\n")[:-1]


def text(words: Sequence[str]) -> str:
    """A list as it is stored: one word a line, each line ended by a newline."""
    return "".join(f"{word}\n" for word in words)


def _daily_from(manifest: Path) -> date | None:
    return json.decode(manifest.read_bytes(), type=Manifest).daily_from if manifest.exists() else None


def _own(folder: Path, name: str) -> Path:
    return folder / HAND_WRITTEN / f"{name}.txt"


def _digest(content: str) -> str:
    return sha256(content.encode()).hexdigest()

